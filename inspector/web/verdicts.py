"""How findings are shown: their class, their words, and where a link to their place leads."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspector.turns.turn import Finding, Place
from inspector.web.markup import Flag

FAR = 60
CSS = {"error": "err", "warning": "warn", "info": "info"}
WORDS = {"error": "Error", "warning": "Warning", "info": "Worth knowing"}
ORDER = {"error": 0, "warning": 1, "info": 2}


@dataclass(frozen=True, slots=True)
class FindingCard:
    """A finding with its link."""

    rule: str
    css: str
    word: str
    message: str
    hint: str
    where: str
    """``prompt 95:97``, or empty for the whole turn."""
    href: str


def line_in(text: str, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of an offset into a response."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1


def place_words(place: Place) -> str:
    """``response 2:82``; without a line the part alone, without a part nothing."""
    if place.part == "turn":
        return ""
    if place.line is None:
        return place.part
    return f"{place.part} {place.line}:{place.column}" if place.column else f"{place.part} {place.line}"


def href(place: Place, base: str) -> str:
    """Where the place is: the query opens the panel on the server, the fragment scrolls to the line."""
    if place.part == "prompt" and place.line is not None:
        return f"{base}?line={place.line}#L{place.line}"
    if place.part == "response":
        if place.line is None:
            return f"{base}?tab=response"
        # Far down, the page must begin near the line for its anchor to be there.
        begin = f"&from={place.line - 20}" if place.line > FAR else ""
        return f"{base}?tab=response{begin}#R{place.line}"
    return ""


def card_of(finding: Finding, base: str) -> FindingCard:
    """A finding as it is shown."""
    return FindingCard(
        finding.rule,
        CSS.get(finding.severity, "info"),
        WORDS.get(finding.severity, "Worth knowing"),
        finding.message,
        finding.hint or "",
        place_words(finding.where),
        href(finding.where, base),
    )


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    """Errors before warnings before the rest; otherwise as they stand in the turn."""
    return sorted(findings, key=lambda finding: ORDER.get(finding.severity, 3))


def worst(findings: Sequence[Finding]) -> str:
    """Class of the gravest of these, or empty."""
    return CSS[worst_first(findings)[0].severity] if findings else ""


def by_line(findings: Sequence[Finding], part: str) -> Mapping[int, list[Finding]]:
    """Findings of the prompt or the response by line."""
    lines: dict[int, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.where.part == part and finding.where.line is not None:
            lines[finding.where.line].append(finding)
    return lines


def flags(findings: Sequence[Finding], most: int = 5) -> tuple[Flag, ...]:
    """What stands under a line; many are counted."""
    shown = [Flag(CSS.get(f.severity, "info"), f.message) for f in worst_first(findings)[:most]]
    if len(findings) > most:
        shown.append(Flag("info", f"{len(findings) - most} more findings here"))
    return tuple(shown)
