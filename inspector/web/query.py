"""The query field: its terms as chips, each with the address of the page without it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict

from inspector.store.queries.language import ONCE, Query, parsed, problems, quoted


@dataclass(frozen=True, slots=True)
class Token:
    """One ``name:value`` with the address of the page without it."""

    name: str
    value: str
    text: str
    without: str


def query_of(request: HttpRequest) -> Query:
    """The query of this address."""
    return parsed(request.GET.getlist("f"), request.GET.get("q", ""))


def address(tokens: Sequence[tuple[str, str]], text: str, more: Mapping[str, str] | None = None) -> str:
    """The query part of an address."""
    pairs = [("f", quoted(name, value)) for name, value in tokens]
    if text:
        pairs.append(("q", text))
    return "?" + urlencode([*pairs, *(more or {}).items()], errors="replace")


def with_token(query: Query, name: str, value: str, more: Mapping[str, str] | None = None) -> str:
    """The address with this token put in, or taken out when it is there."""
    there = (name, value) in query.tokens
    rest = [pair for pair in query.tokens if pair != (name, value) and (pair[0] != name or name not in ONCE)]
    return address(rest if there else [*rest, (name, value)], query.text, more)


def field(query: Query, action: str, more: Mapping[str, str] | None = None, **words: Any) -> dict[str, Any]:
    """What the query field's template needs; ``more`` is what else the address keeps."""
    tokens = [
        Token(
            name,
            value,
            quoted(name, value),
            address([t for t in query.tokens if t != (name, value)], query.text, more),
        )
        for name, value in query.tokens
    ]
    asked = " ".join([*(token.text for token in tokens), query.text]).strip()
    problem = words.pop("problem", "") or " ".join(problems(query))
    return {
        "action": action,
        "tokens": tokens,
        "text": query.text,
        "words": asked,
        "problem": problem,
        "more": more or {},
        **words,
    }


def kept(request: HttpRequest, **changed: str) -> str:
    """This address's query with some names changed; for pagers."""
    data: QueryDict = request.GET.copy()
    for name, value in changed.items():
        data[name] = value
    return f"?{data.urlencode()}"
