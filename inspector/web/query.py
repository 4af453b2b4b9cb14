"""The filter field: ``agent:weather since:1h "free text"`` to filters, and each token's own address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict

from inspector.store.queries import Filters

NAMES = ("agent", "action", "model", "rule", "has", "since", "session")
SPANS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
SEVERITIES = {"error": "error", "warning": "warning", "info": "info"}
LONGEST = 1_000
MOST = 12


@dataclass(frozen=True, slots=True)
class Token:
    """One ``name:value`` with the address of the page without it."""

    name: str
    value: str
    text: str
    without: str


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked, taken apart. Everything else of the field is free text."""

    tokens: tuple[tuple[str, str], ...]
    text: str

    def value(self, name: str) -> str:
        """The last value given for a name."""
        return next((value for given, value in reversed(self.tokens) if given == name), "")


def words(text: str) -> list[str]:
    """Words of the field; what stands in double quotes stays together. One pass."""
    found: list[str] = []
    word: list[str] = []
    quoted = False
    for letter in text[:LONGEST]:
        if letter == '"':
            quoted = not quoted
            word.append(letter)
        elif letter.isspace() and not quoted:
            if word:
                found.append("".join(word))
            word = []
        else:
            word.append(letter)
    return [*found, "".join(word)] if word else found


def token(word: str) -> tuple[str, str] | None:
    """``agent:weather`` -> its name and value; None for free text."""
    name, colon, value = word.partition(":")
    value = value.strip('"')
    return (name, value) if colon and name in NAMES and value else None


def parsed(texts: Sequence[str], field: str) -> Query:
    """Tokens that were kept in the address, and the field as it was typed now."""
    tokens = [found for text in texts[:MOST] if (found := token(text[:LONGEST]))]
    free = []
    for word in words(field):
        found = token(word)
        if found and len(tokens) < MOST:
            tokens.append(found)
        else:
            free.append(word)
    unique = dict.fromkeys(tokens)
    return Query(tuple(unique), " ".join(free))


def query_of(request: HttpRequest) -> Query:
    """The query of this address."""
    return parsed(request.GET.getlist("f"), request.GET.get("q", ""))


def since(value: str, now: datetime) -> datetime | None:
    """``1h``, ``7d``, ``2w``; None for what is not a span."""
    number, unit = value[:-1], value[-1:]
    if unit not in SPANS or not (number.isascii() and number.isdigit() and len(number) <= 4):
        return None
    return now - timedelta(**{SPANS[unit]: int(number)})


def filters(query: Query, now: datetime) -> Filters:
    """The filters that the store knows."""
    has = query.value("has")
    return Filters(
        q=query.text,
        agent=query.value("agent"),
        rule=query.value("rule"),
        action=query.value("action"),
        model=query.value("model"),
        since=since(query.value("since"), now),
        severity=SEVERITIES.get(has, ""),
        failed=True if has == "failure" else None,
        session=query.value("session"),
    )


def quoted(name: str, value: str) -> str:
    """A token as it is typed."""
    return f'{name}:"{value}"' if any(letter.isspace() for letter in value) else f"{name}:{value}"


def address(tokens: Sequence[tuple[str, str]], text: str, more: Mapping[str, str] | None = None) -> str:
    """The query part of an address."""
    pairs = [("f", quoted(name, value)) for name, value in tokens]
    if text:
        pairs.append(("q", text))
    return "?" + urlencode([*pairs, *(more or {}).items()], errors="replace")


def with_token(query: Query, name: str, value: str) -> str:
    """The address with this token put in, or taken out when it is there."""
    there = (name, value) in query.tokens
    rest = [pair for pair in query.tokens if pair[0] != name]
    return address(rest if there else [*rest, (name, value)], query.text)


def field(query: Query, action: str, **words: Any) -> dict[str, Any]:
    """What the query field's template needs."""
    tokens = [
        Token(
            name,
            value,
            quoted(name, value),
            address([t for t in query.tokens if t != (name, value)], query.text),
        )
        for name, value in query.tokens
    ]
    return {"action": action, "tokens": tokens, "text": query.text, **words}


def kept(request: HttpRequest, **changed: str) -> str:
    """This address's query with some names changed; for pagers."""
    data: QueryDict = request.GET.copy()
    for name, value in changed.items():
        data[name] = value
    return f"?{data.urlencode()}"
