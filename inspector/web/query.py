"""The filter field: ``agent:weather since:1h "free text"`` to filters, and each token's own address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.utils import timezone

from inspector.store.queries import Filters
from inspector.turns.findings import RULES

NAMES = ("agent", "action", "model", "rule", "has", "since", "until", "session", "tag")
SPANS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
HAS = ("finding", "error", "warning", "info", "broken-prefix", "failure")
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


def moment(value: str, now: datetime) -> datetime | None:
    """A span before now, a day or a time (UTC without a zone): ``2h``, ``2026-11-30T12:00``."""
    if (found := since(value, now)) is not None:
        return found
    try:
        given = datetime.fromisoformat(value[:40])
        return (given if given.tzinfo else given.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def problems_of(query: Query) -> str:
    """What is wrong with the terms, and how to write them; empty when all is well."""
    found = []
    now, rules = timezone.now(), [rule.name for rule in RULES]
    for name, value in query.tokens:
        if name in ("since", "until") and moment(value, now) is None:
            found.append(f"“{name}:{value[:40]}” is no time: write {name}:2h, 7d or 2026-11-30.")
        if name == "has" and value not in HAS:
            found.append(f"“has:{value[:40]}” is not known: write has:{', has:'.join(HAS)}.")
        if name == "rule" and value not in rules:
            near = get_close_matches(value[:60], rules, 1)
            found.append(f"There is no rule “{value[:60]}”{f': do you mean {near[0]}?' if near else '.'}")
    for word in words(query.text):
        name = word.partition(":")[0]
        if name.isalpha() and ":" in word and name not in (*NAMES, "http", "https"):
            near = get_close_matches(name[:20], NAMES, 1)
            if near:
                found.append(
                    f"“{name[:20]}:” is no filter and was looked for as text: do you mean {near[0]}:?"
                )
    return " ".join(found[:3])


def filters(query: Query, now: datetime) -> Filters:
    """The filters that the store knows."""
    has = query.value("has")
    return Filters(
        q=query.text,
        agent=query.value("agent"),
        rule=query.value("rule"),
        action=query.value("action"),
        model=query.value("model"),
        since=moment(query.value("since"), now),
        until=moment(query.value("until"), now),
        severity=SEVERITIES.get(has, ""),
        failed=True if has == "failure" else None,
        session=query.value("session"),
        tag=query.value("tag"),
        finding=has == "finding",
        broken_prefix=has == "broken-prefix",
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
    asked = " ".join([*(token.text for token in tokens), query.text]).strip()
    return {"action": action, "tokens": tokens, "text": query.text, "words": asked, **words}


def kept(request: HttpRequest, **changed: str) -> str:
    """This address's query with some names changed; for pagers."""
    data: QueryDict = request.GET.copy()
    for name, value in changed.items():
        data[name] = value
    return f"?{data.urlencode()}"
