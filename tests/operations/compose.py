"""Reads the part of YAML that docker/compose.yml is written in, so that tests start the very same commands.

Mappings, lists and scalars in block style, anchors and their merge; all else fails.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMPOSE = Path(__file__).resolve().parent.parent.parent / "docker" / "compose.yml"

_key = re.compile(r"([A-Za-z0-9_<.-]+):(?: (.*))?$")


@dataclass(frozen=True, slots=True)
class Line:
    """One meaningful line."""

    indent: int
    text: str


def lines_of(text: str) -> list[Line]:
    """Lines without comments and blank ones."""
    kept = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return [Line(len(line) - len(line.lstrip()), line.strip()) for line in kept]


def scalar(text: str) -> str:
    """A plain or double-quoted scalar, always as text."""
    return text[1:-1] if text.startswith('"') and text.endswith('"') and len(text) >= 2 else text


class Reader:
    """A cursor over lines, and the anchors met so far."""

    def __init__(self, text: str) -> None:
        self.lines = lines_of(text)
        self.anchors: dict[str, dict[str, Any]] = {}
        self.at = 0

    def block(self, indent: int) -> Any:
        """The mapping or list that begins here."""
        return self.items(indent) if self.lines[self.at].text.startswith("- ") else self.mapping(indent)

    def items(self, indent: int) -> list[str]:
        """A list of scalars."""
        found = []
        while self.at < len(self.lines) and self.lines[self.at].indent == indent:
            text = self.lines[self.at].text
            assert text.startswith("- "), text
            found.append(scalar(text[2:]))
            self.at += 1
        return found

    def mapping(self, indent: int) -> dict[str, Any]:
        """A mapping; keys may not repeat."""
        found: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        while self.at < len(self.lines) and self.lines[self.at].indent == indent:
            match = _key.match(self.lines[self.at].text)
            assert match, self.lines[self.at].text
            key, value = match[1], match[2] or ""
            self.at += 1
            if key == "<<":
                merged = self.anchors[value.removeprefix("*")]
                continue
            assert key not in found, key
            found[key] = self.value(value, indent)
        return merged | found

    def value(self, text: str, indent: int) -> Any:
        """What stands after a key: a scalar, or the deeper block that follows."""
        deeper = self.at < len(self.lines) and self.lines[self.at].indent > indent
        if text and not text.startswith("&"):
            return scalar(text)
        read: Any = self.block(self.lines[self.at].indent) if deeper else ""
        if text.startswith("&"):
            self.anchors[text[1:]] = read
        return read


def compose() -> dict[str, Any]:
    """docker/compose.yml."""
    reader = Reader(COMPOSE.read_text(encoding="utf-8"))
    found = reader.mapping(0)
    assert reader.at == len(reader.lines), reader.lines[reader.at]
    return found


def command_of(service: str) -> list[str]:
    """The command of a service, word by word."""
    command = compose()["services"][service]["command"]
    assert isinstance(command, list)
    return command
