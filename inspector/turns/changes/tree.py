"""The sections of a reading as a tree under its messages, with what a match needs of each."""

import json
import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

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
    beside: str | None = None
    """The native calls of a message as text, when the node stands for them."""

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

    A message that has no text but calls gets one made-up section for them.
    """
    reading = read.reading
    messages = [Node(_role(facts.role, facts.name), None, at) for at, facts in enumerate(reading.messages)]
    _plant(reading, messages)
    for node, travelled in zip(messages, read.turn.messages, strict=False):
        if travelled.calls and not node.children:
            node.children.append(calls_of(node, read))
    for index, node in enumerate(messages):
        beside = _beside_text(read.turn.messages[index]) if index < len(read.turn.messages) else None
        node.identity = (node.base, beside, tuple(child.identity for child in node.children))
    return messages


def calls_of(message: Node, read: ReadTurn) -> Node:
    """The native calls of a message as a section of their own, behind its text."""
    travelled, facts = read.turn.messages[message.message], read.reading.messages[message.message]
    text = "\n".join(f"{call.name} {_laid_out(call.arguments)}" for call in travelled.calls)
    names = list(dict.fromkeys(call.name for call in travelled.calls))
    end, last = len(travelled.text), facts.line + travelled.text.count("\n")
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    section = Section(
        path=f"message[{message.message}]/calls",
        kind="history",
        title=f"calls {', '.join(names)}"[:200],
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
        digest=digest,
    )
    return Node("calls", digest, message.message, section, beside=text)


def _laid_out(arguments: str) -> str:
    """Arguments one a line, so that lines can be compared; as they came when they are no flat object."""
    try:
        parsed: Any = json.loads(arguments) if len(arguments) <= 100_000 else None
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict) or len(parsed) < 2:
        return arguments
    members = (
        f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in parsed.items()
    )
    return "\n".join(["{", *members, "}"])


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


def _beside_text(message: Message) -> object:
    """What a message carries beside its text; ids of calls are not looked at."""
    return tuple((call.name, call.arguments) for call in message.calls)
