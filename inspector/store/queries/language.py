"""One line of terms and free text, ``agent:weather has:error since:1h "a phrase"``, to filters and back.

Pages and API understand the same line: what is wrong in it is explained in the same words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches

from django.utils import timezone

from inspector.store.errors import BadQuery
from inspector.store.queries.filters import HAS, Filters
from inspector.turns.findings import RULES

NAMES = ("agent", "action", "model", "rule", "has", "since", "until", "session", "tag")
ONCE = frozenset({"agent", "model", "session", "since", "until"})
"""Of these the last one counts; of the others, all that are given must hold."""
SPANS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
LONGEST = 1_000
MOST = 12
EXPLAINED = 3

Term = tuple[str, str]
"""Name and value."""


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked, taken apart. Everything else of the line is free text, spaced as it was typed."""

    tokens: tuple[Term, ...]
    text: str

    def value(self, name: str) -> str:
        """The last value given for a name."""
        return next((value for given, value in reversed(self.tokens) if given == name), "")

    def values(self, name: str) -> tuple[str, ...]:
        """All values given for a name."""
        return tuple(value for given, value in self.tokens if given == name)


def parsed(texts: Sequence[str], line: str) -> Query:
    """Terms that are known already (``name:value`` each), and the line as it was typed."""
    terms = [found for text in texts[:MOST] if (found := term(text[:LONGEST]))]
    pieces, at = [], 0
    for start, end in _words(line):
        found = term(line[start:end])
        if found and len(terms) < MOST:
            terms.append(found)
            pieces.append(line[at:start])
            at = end
    free = " ".join(piece.strip() for piece in [*pieces, line[at:]] if piece.strip())
    return Query(tuple(_settled(terms)), free)


def term(word: str) -> Term | None:
    """``agent:weather`` -> its name and value; None for free text."""
    name, colon, value = word.partition(":")
    value = value.strip('"')
    return (name, value) if colon and name in NAMES and value else None


def quoted(name: str, value: str) -> str:
    """A term as it is typed."""
    return f'{name}:"{value}"' if any(letter.isspace() for letter in value) else f"{name}:{value}"


def moment(value: str, now: datetime) -> datetime | None:
    """A span before now, a day or a time (UTC without a zone): ``2h``, ``2026-11-30T12:00``."""
    if (found := since(value, now)) is not None:
        return found
    try:
        given = datetime.fromisoformat(value[:40])
        return (given if given.tzinfo else given.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def since(value: str, now: datetime) -> datetime | None:
    """``1h``, ``7d``, ``2w``; None for what is not a span."""
    number, unit = value[:-1], value[-1:]
    if unit not in SPANS or not (number.isascii() and number.isdigit() and len(number) <= 4):
        return None
    return now - timedelta(**{SPANS[unit]: int(number)})


def filters(query: Query, now: datetime | None = None) -> Filters:
    """What the store is asked; terms that ``problems`` explains ask for nothing."""
    now = now or timezone.now()
    return Filters(
        q=query.text,
        agent=query.value("agent"),
        model=query.value("model"),
        session=query.value("session"),
        rules=query.values("rule"),
        actions=query.values("action"),
        tags=query.values("tag"),
        has=tuple(value for value in query.values("has") if value in HAS),
        since=moment(query.value("since"), now),
        until=moment(query.value("until"), now),
    )


def asked(line: str, terms: Sequence[Term] = ()) -> Filters:
    """The filters of a line beside terms that came on their own. Raises BadQuery, which explains."""
    query = parsed([], line)
    query = Query(
        tuple(_settled([*((name, value) for name, value in terms if value), *query.tokens])), query.text
    )
    if found := problems(query):
        raise BadQuery(" ".join(found))
    return filters(query)


def problems(query: Query) -> list[str]:
    """What is wrong with the terms, and how to write them; empty when all is well."""
    found = [problem for name, value in query.tokens if (problem := _bad_value(name, value))]
    near = [problem for start, end in _words(query.text) if (problem := _no_term(query.text[start:end]))]
    return [*found, *near][:EXPLAINED]


def _settled(terms: Sequence[Term]) -> Iterator[Term]:
    last = {name: value for name, value in terms if name in ONCE}
    for name, value in dict.fromkeys(terms):
        if name not in ONCE or last[name] == value:
            yield name, value


def _words(line: str) -> Iterator[tuple[int, int]]:
    """Where the words of a line are; what stands in double quotes stays together. One pass."""
    begun, is_quoted = None, False
    for place, letter in enumerate(line[: LONGEST + 1]):
        is_quoted ^= letter == '"'
        if not letter.isspace() or is_quoted:
            begun = place if begun is None else begun
        elif begun is not None:
            yield begun, place
            begun = None
    if begun is not None and len(line) <= LONGEST:
        yield begun, len(line)


def _bad_value(name: str, value: str) -> str:
    shown = value[:60]
    if name in ("since", "until") and moment(value, timezone.now()) is None:
        return f"“{name}:{shown}” is no time: write {name}:2h, 7d or 2026-11-30."
    if name == "has" and value not in HAS:
        return f"“has:{shown}” is not known: write has:{', has:'.join(HAS)}."
    rules = [rule.name for rule in RULES]
    if name == "rule" and value not in rules:
        near = get_close_matches(shown, rules, 1)
        return f"There is no rule “{shown}”{f': do you mean {near[0]}?' if near else '.'}"
    return ""


def _no_term(word: str) -> str:
    """Free text that looks as if it were meant as a term."""
    name, colon, value = word.partition(":")
    if not colon or not (name.isascii() and name.isalpha()) or name in ("http", "https"):
        return ""
    if name in NAMES:
        if value.strip('"'):
            return f"A query has at most {MOST} filters: “{word[:40]}” is one too many."
        return f"“{name}:” has no value: write {name}:value without a space, or “{name}” for the word."
    near = get_close_matches(name[:20], NAMES, 1, 0.7) if value else []
    if not near:
        return ""
    return (
        f'“{name[:20]}:” is no filter: do you mean {near[0]}:? To look for it as text, write "{word[:40]}".'
    )
