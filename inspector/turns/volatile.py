"""Values that change by themselves: clocks, dates, ids, counters.

Recognised in pairs: a value counts only where the old and the new text differ in values alone.
"""

import re
from dataclasses import dataclass
from typing import Literal

type Volatile = Literal["clock", "date", "id", "counter"]

MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
DAY = r"(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?"
HEX = r"[0-9a-fA-F]"
TIME = r"[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?"
PATTERN = re.compile(
    rf"""
    (?P<id>\b{HEX}{{8}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{12}}\b
        | \b(?=[0-9a-f]{{0,40}}[0-9])(?=[0-9a-f]{{0,40}}[a-f])[0-9a-f]{{8,64}}\b
        | \b(?:[A-Za-z]{{2,12}}[_-])(?=[A-Za-z0-9]{{0,32}}[0-9])(?=[0-9]{{0,32}}[A-Za-z])[A-Za-z0-9]{{6,64}}\b
        | \b(?=[A-Z0-9]{{0,26}}[0-9])[0-9A-HJKMNP-TV-Z]{{26}}\b)
  | (?P<clock>\b[0-9]{{4}}-[01][0-9]-[0-3][0-9][T\ ]{TIME}(?:\ ?Z\b|\ ?[+-][0-9]{{2}}:?[0-9]{{2}}\b)?
        | \b{TIME}(?:\ ?[AaPp]\.?[Mm]\b\.?)?
        | \b1[0-9]{{9}}(?:[0-9]{{3}}|[0-9]{{6}}|[0-9]{{9}})?\b(?:\.[0-9]{{1,9}})?)
  | (?P<date>\b[0-9]{{4}}[-/.][01]?[0-9][-/.][0-3]?[0-9]\b
        | \b[0-3]?[0-9][-/.][0-3]?[0-9][-/.][0-9]{{4}}\b
        | \b{MONTH}\.?\ [0-3]?[0-9](?:st|nd|rd|th)?(?:,?\ [0-9]{{4}})?\b
        | \b[0-3]?[0-9](?:st|nd|rd|th)?\.?\ {MONTH}(?:,?\ [0-9]{{4}})?\b
        | \b{DAY}\b)
  | (?P<counter>[0-9]+(?:[.,][0-9]+)*)
    """,
    re.VERBOSE,
)
CALLED_ID = re.compile(
    r"\b(?:[a-z]{0,12}[_-])?(?:id|uuid|guid|nonce|hash)\b\W{1,4}[\w-]{0,8}\Z", re.IGNORECASE
)
"""What stands before a short number that its text calls an id."""
LOOKED_AT = 4_000
"""Code points of a text that are searched for values."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value that may change by itself."""

    name: Volatile
    text: str
    start: int
    end: int


def values_in(text: str) -> list[Value]:
    """Clocks, dates, ids and numbers of a text, in order, none inside another."""
    return [
        Value(match.lastgroup, match[0], match.start(), match.end())  # type: ignore[arg-type]
        for match in PATTERN.finditer(text)
    ]


def masked(text: str) -> str:
    """The text with each value replaced by its name."""
    return PATTERN.sub(lambda match: f"\0{match.lastgroup}\0", text)


def cause_of(old: str, new: str) -> Volatile | None:
    """Why two versions of a line differ, when only such values differ: the first one that does."""
    olds, news = values_in(old[:LOOKED_AT]), values_in(new[:LOOKED_AT])
    if len(olds) != len(news) or masked(old[:LOOKED_AT]) != masked(new[:LOOKED_AT]):
        return None
    for before, after in zip(olds, news, strict=True):
        if before.text != after.text:
            named = before.name == "counter" and CALLED_ID.search(
                old, max(before.start - 32, 0), before.start
            )
            return "id" if named else before.name
    return None


def value_at(old: str, new: str, at: int) -> Volatile | None:
    """The name of the value that holds the first difference in both texts, if the same text follows it.

    A bare number is not enough here: what follows may differ for any reason.
    """
    before, after = _value_over(old, at), _value_over(new, at)
    if before is None or after is None or before.name != after.name or before.name == "counter":
        return None
    return before.name if old[before.end :][:20] == new[after.end :][:20] else None


def _value_over(text: str, at: int) -> Value | None:
    for value in values_in(text[: at + LOOKED_AT]):
        if value.start <= at < value.end:
            return value
    return None
