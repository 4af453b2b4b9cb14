"""The sections of a reading as a tree under its messages, with what a match needs of each."""

import re
from dataclasses import dataclass, field

from inspector.turns.changes.beside import digest_of, has_beside, text_of, title_of
from inspector.turns.turn import Reading, ReadTurn, Section

BESIDE = "calls"
"""Name of the made-up section."""
ORDINAL = re.compile(r"#[0-9]{1,9}$")


@dataclass(slots=True, eq=False)
class Node:
    """A section, or a message (``section`` is None) with its sections."""

    base: str
    """What it is called beside its siblings, without the number of a repeat."""
    identity: object
    """Equal for two nodes that hold the same text."""
    message: int
    section: Section | None = None
    children: list["Node"] = field(default_factory=list)
    beside: str | None = None
    """What a message carries beside its text, as text, when the node stands for that."""

    @property
    def chars(self) -> int:
        """Size of the text, in code points."""
        if self.section is not None:
            return self.section.chars
        return sum(child.chars for child in self.children)


def base_of(section: Section, parent: Section | None) -> str:
    """The last step of a section's path, without ``#2``."""
    path = section.path
    if parent is not None and path.startswith(parent.path + "/"):
        path = path[len(parent.path) + 1 :]
    return ORDINAL.sub("", path)


def messages_of(read: ReadTurn) -> list[Node]:
    """One node a message, with the tree of its sections below it.

    A message without text that carries calls or attachments gets one made-up section for them.
    """
    reading = read.reading
    messages = [Node(_role(facts.role, facts.name), None, at) for at, facts in enumerate(reading.messages)]
    _plant(reading, messages)
    besides = [has_beside(travelled) for travelled in read.turn.messages]
    for node, has in zip(messages, besides, strict=False):
        if has and not node.children:
            node.children.append(beside_of(node, read))
    for index, node in enumerate(messages):
        has = index < len(besides) and besides[index]
        beside = digest_of(read.turn.messages[index]) if has else None
        node.identity = (node.base, beside, tuple(child.identity for child in node.children))
    return messages


def beside_of(message: Node, read: ReadTurn) -> Node:
    """What a message carries beside its text as a section of its own, behind the text."""
    travelled, facts = read.turn.messages[message.message], read.reading.messages[message.message]
    end, last = len(travelled.text), facts.line + travelled.text.count("\n")
    section = Section(
        path=f"message[{message.message}]/{BESIDE}",
        kind="history",
        title=title_of(travelled),
        syntax="json",
        depth=0,
        message=message.message,
        start=end,
        end=end,
        body_start=end,
        body_end=end,
        line=last,
        end_line=last,
        tokens=0,
        digest=digest_of(travelled),
    )
    return Node(BESIDE, section.digest, message.message, section, beside=text_of(travelled))


def _plant(reading: Reading, messages: list[Node]) -> None:
    chain: list[Node] = []
    for section in reading.sections:
        del chain[section.depth :]
        parent = chain[-1] if chain else None
        node = Node(
            base_of(section, parent.section if parent else None),
            section.digest,
            section.message,
            section,
        )
        (parent or messages[section.message]).children.append(node)
        chain.append(node)


def _role(role: str, name: str | None) -> str:
    return f"{role} {name}" if name else role
