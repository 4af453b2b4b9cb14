"""Turns made by hand: sections given as nested parts, everything else worked out from them."""

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from inspector.turns.tokens import count
from inspector.turns.turn import (
    Contract,
    Kind,
    Message,
    MessageFacts,
    NativeCall,
    Offer,
    Reading,
    ReadTurn,
    ResponseBody,
    Section,
    Tool,
    Turn,
    Usage,
)


@dataclass(frozen=True)
class Part:
    """A section to be: its own text and the parts inside it, in order."""

    name: str
    pieces: tuple["str | Part", ...]
    kind: Kind = "other"

    @property
    def text(self) -> str:
        return "".join(piece if isinstance(piece, str) else piece.text for piece in self.pieces)


@dataclass(frozen=True)
class Said:
    """A message to be."""

    role: str
    parts: tuple[Part, ...]
    calls: tuple[NativeCall, ...] = ()
    call_id: str | None = None

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)


def part(name: str, *pieces: "str | Part", kind: Kind = "other") -> Part:
    return Part(name, pieces, kind)


def tag(name: str, *pieces: "str | Part", kind: Kind = "other") -> Part:
    """A part in an XML-ish tag of its own name (up to ``[``), each on a line of its own."""
    word = name.split("[")[0]
    return Part(name, (f"<{word}>\n", *pieces, f"</{word}>\n"), kind)


def said(role: str, *parts: "str | Part", calls: Any = (), call_id: str | None = None) -> Said:
    """A message; a bare string is one section named after the role."""
    cut = tuple(part(role, each) if isinstance(each, str) else each for each in parts)
    return Said(role, cut, tuple(calls), call_id)


@dataclass
class _Cutting:
    sections: list[Section] = field(default_factory=list)
    paths: dict[str, int] = field(default_factory=dict)

    def path(self, path: str) -> str:
        self.paths[path] = self.paths.get(path, 0) + 1
        repeat = self.paths[path]
        return path if repeat == 1 else f"{path}#{repeat}"

    def cut(
        self, piece: Part, message: int, text: str, start: int, line: int, above: str, depth: int
    ) -> None:
        path = self.path(f"{above}/{piece.name}" if above else piece.name)
        own = piece.text
        first = line + text.count("\n", 0, start)
        end = start + len(own)
        self.sections.append(
            Section(
                path=path,
                kind=piece.kind,
                title=piece.name,
                syntax="text",
                depth=depth,
                message=message,
                start=start,
                end=end,
                body_start=start,
                body_end=end,
                line=first,
                end_line=line + text.count("\n", 0, max(end - 1, start)),
                tokens=count(own),
                digest=sha256(own.encode("utf-8", "surrogatepass")).hexdigest()[:16],
            )
        )
        for inner in piece.pieces:
            if isinstance(inner, Part):
                self.cut(inner, message, text, start, line, path, depth + 1)
            start += len(inner if isinstance(inner, str) else inner.text)


def made(
    *messages: Said,
    id: str = "t",
    seq: int = 1,
    model: str | None = "m",
    tools: tuple[Tool, ...] = (),
    usage: Usage | None = None,
    response: str | None = None,
    actions: tuple[Offer, ...] = (),
    outputs: tuple[Offer, ...] = (),
) -> ReadTurn:
    """A turn with its reading."""
    cutting = _Cutting()
    facts: list[MessageFacts] = []
    line = 1
    for index, message in enumerate(messages):
        text = message.text
        facts.append(MessageFacts(message.role, None, len(text), count(text), line))
        at = 0
        for piece in message.parts:
            cutting.cut(piece, index, text, at, line, "", 0)
            at += len(piece.text)
        line += text.count("\n") + 1
    texts = [message.text for message in messages]
    turn = Turn(
        messages=tuple(
            Message(message.role, message.text, calls=message.calls, call_id=message.call_id)
            for message in messages
        ),
        tools=tools,
        id=id,
        model=model,
        usage=usage,
        response=ResponseBody(response) if response is not None else None,
    )
    reading = Reading(
        dialect="generic",
        layout=None,
        chars=sum(map(len, texts)),
        bytes=sum(len(text.encode("utf-8", "surrogatepass")) for text in texts),
        lines=line - 1,
        tokens=sum(each.tokens for each in facts),
        messages=tuple(facts),
        sections=tuple(cutting.sections),
        contract=Contract(actions, outputs),
        response=None,
        findings=(),
    )
    return ReadTurn(id, seq, turn, reading)
