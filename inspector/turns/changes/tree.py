"""The sections of a reading as a tree under its messages, with what a match needs of each."""

import re
from dataclasses import dataclass, field

from inspector.turns.turn import Message, Reading, ReadTurn, Section

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
    """One node a message, with the tree of its sections below it."""
    reading = read.reading
    messages = [Node(facts.role, None, index) for index, facts in enumerate(reading.messages)]
    _plant(reading, messages)
    for index, node in enumerate(messages):
        travelled = read.turn.messages[index] if index < len(read.turn.messages) else None
        node.base = _message_base(node.base, reading.messages[index].name)
        node.identity = (
            node.base,
            _beside_text(travelled),
            tuple(child.identity for child in node.children),
        )
    return messages


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


def _message_base(role: str, name: str | None) -> str:
    return f"{role} {name}" if name else role


def _beside_text(message: Message | None) -> object:
    """What a message carries beside its text."""
    if message is None:
        return None
    return (message.call_id, tuple((call.name, call.arguments) for call in message.calls))
