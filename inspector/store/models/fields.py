"""Columns that keep any text or JSON on both databases, NUL and lone surrogates included.

Postgres refuses NUL in ``text`` and ``jsonb``, and both drivers refuse lone surrogates. Such
characters are escaped on the way in and restored on the way out, so that two names that differ
only by a NUL stay two names. ``DLE`` is the escape; a DLE in the text is doubled.
"""

import json
import re
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.lookups import BuiltinLookup
from django.db.models.sql.compiler import SQLCompiler

if TYPE_CHECKING:
    Text = models.TextField[str, str]
    Json = models.TextField[Any, Any]
else:
    Text = Json = models.TextField

DLE = "\x10"
_UNSAFE = re.compile("[\x00\x10\ud800-\udfff]")
_ESCAPED = re.compile("\x10(?:\x10|0|d[0-9a-f]{3})")


def storable(text: str) -> str:
    """The text in a form that every database keeps."""
    if text.isascii() and "\x00" not in text and DLE not in text:
        return text
    return _UNSAFE.sub(_escape, text)


def original(text: str) -> str:
    """What was given to ``storable``."""
    return _ESCAPED.sub(_restore, text) if DLE in text else text


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    if character == DLE:
        return DLE + DLE
    return DLE + ("0" if character == "\x00" else f"{ord(character):04x}")


def _restore(match: re.Match[str]) -> str:
    code = match.group()[1:]
    if code == DLE:
        return DLE
    return "\x00" if code == "0" else chr(int(code, 16))


class AnyTextField(Text):
    """Text from outside, kept whole."""

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        return storable(value) if isinstance(value, str) else value

    def from_db_value(
        self, value: str | None, expression: object, connection: BaseDatabaseWrapper
    ) -> str | None:
        return None if value is None else original(value)


class JsonTextField(Json):
    """Small JSON as ASCII text, so that NUL, surrogates and big numbers survive.

    The lookup ``has`` finds a string in a list, ``has_pair`` a name with its string in an object.
    """

    def get_prep_value(self, value: Any) -> Any:
        return value if value is None else json.dumps(value, separators=(",", ":"))

    def from_db_value(self, value: str | None, expression: object, connection: BaseDatabaseWrapper) -> Any:
        return None if value is None else json.loads(value)

    def to_python(self, value: Any) -> Any:
        return value


@JsonTextField.register_lookup
class Has(BuiltinLookup):
    """``actions__has="send"``: the list holds this very string."""

    lookup_name = "has"
    prepare_rhs = False

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, tuple[str | int, ...]]:
        column, parameters = self.process_lhs(compiler, connection)
        quoted = self.wanted()
        for special in "\\%_":
            quoted = quoted.replace(special, "\\" + special)
        return f"{column} LIKE %s ESCAPE '\\'", (*parameters, f"%{quoted}%")

    def wanted(self) -> str:
        """What must stand in the column."""
        return json.dumps(str(self.rhs))


@JsonTextField.register_lookup
class HasPair(Has):
    """``tags__has_pair=("room", "blue")``: the object has this very string under this name."""

    lookup_name = "has_pair"

    def wanted(self) -> str:
        """What must stand in the column."""
        name, value = self.rhs
        return f"{json.dumps(str(name))}:{json.dumps(str(value))}"
