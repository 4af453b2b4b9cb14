"""Values that change by themselves: clocks, dates, ids, counters.

Recognised in pairs: a value counts only where the old and the new text differ in values alone.
"""

import re
from typing import Literal

from inspector.turns.shape import shape

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
  | (?P<counter>(?<!\w)[0-9]+(?:[.,][0-9]+)*)
    """,
    re.VERBOSE,
)
CALLED_ID = re.compile(
    r"\b(?:[a-z]{0,12}[_-])?(?:id|uuid|guid|nonce|hash)\b\W{1,4}[\w-]{0,8}\Z", re.IGNORECASE
)
"""What stands before a short number that its text calls an id."""
COUNTED = re.compile(
    r"(?:\b(?:turn|step|iteration|attempt|round|cycle|tick|loop|run|message|msg|seq|count|total|counter|no)s?|#)"
    r"\W{0,3}\Z",
    re.IGNORECASE,
)
"""What stands before a number that its text calls a count."""
LOOKED_AT = 4_000
"""Code points of a text that are searched for values."""


@shape
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
    """The text with each value replaced by its name; numbers only where the text calls them a count."""

    def name(match: re.Match[str]) -> str:
        if match.lastgroup == "counter" and not _called(COUNTED, text, match.start()):
            return match[0]
        return f"\0{match.lastgroup}\0"

    return PATTERN.sub(name, text)


def cause_of(old: str, new: str) -> Volatile | None:
    """Why two versions of a line differ, when only such values differ: the first one that does.

    A number counts as a counter when the text calls it one, or when it went up by one.
    """
    old, new = old[:LOOKED_AT], new[:LOOKED_AT]
    olds, news = values_in(old), values_in(new)
    if len(olds) != len(news) or PATTERN.sub("\0", old) != PATTERN.sub("\0", new):
        return None
    for before, after in zip(olds, news, strict=True):
        if before.text != after.text:
            return before.name if before.name != "counter" else _number(old, before, after)
    return None


def _number(text: str, before: Value, after: Value) -> Volatile | None:
    if _called(CALLED_ID, text, before.start):
        return "id"
    next_one = before.text.isdecimal() and after.text.isdecimal() and _follows(before.text, after.text)
    return "counter" if next_one or _called(COUNTED, text, before.start) else None


def _follows(before: str, after: str) -> bool:
    return len(after) <= 15 >= len(before) and int(after) == int(before) + 1


def _called(name: re.Pattern[str], text: str, at: int) -> bool:
    return name.search(text, max(at - 32, 0), at) is not None


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
