"""The response as cards: findings, reasoning, calls, outputs, stray text, and its lines."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from inspector.turns.grounds import grounds
from inspector.turns.turn import Call, Finding, Offer, Output, Reading, Response, Result, Turn
from inspector.web.arguments import Argument, ReferenceChip, arguments, as_text, chips, shortened
from inspector.web.code_lines import fitting
from inspector.web.highlight import JSON, LARGEST, PROMPT, highlighted, plain
from inspector.web.links import Links
from inspector.web.markup import CodeLine, block, code
from inspector.web.verdicts import (
    FindingCard,
    by_line,
    card_of,
    flags,
    line_in,
    worst,
    worst_first,
)


@dataclass(frozen=True, slots=True)
class Room:
    """How much of a response one page shows."""

    findings: int
    cards: int
    """Elements of the calls, and as many of the outputs."""
    lines: int
    text: int
    """Elements of the raw response's lines."""


BESIDE = Room(findings=25, cards=350, lines=60, text=450)
"""Beside the prompt; the response's own tab has more."""
ALL = Room(findings=60, cards=650, lines=400, text=900)
PROSE = 4_000
RESULT = 400
"""Letters of a result; the whole of it stands where the link leads."""
NO_TURN = Turn()

STATUS = {
    "ok": ("ok", "Valid"),
    "unknown": ("err", "Not offered"),
    "invalid": ("err", "Rejected"),
    "unparsed": ("err", "Unreadable"),
    "unchecked": ("wait", "Not checked"),
}


@dataclass(frozen=True, slots=True)
class ResultNote:
    """What came of a call."""

    words: str
    href: str
    value: str
    failed: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A call or an output."""

    index: int
    name: str
    kind: str
    css: str
    word: str
    attributes: tuple[tuple[str, str], ...]
    arguments: list[Argument]
    body: SafeString | None
    """Raw text, when there are no arguments to list."""
    note: str
    """How broken JSON was mended."""
    chips: tuple[ReferenceChip, ...]
    result: ResultNote | None
    line: int | None


@dataclass(frozen=True, slots=True)
class RawLines:
    """Lines of the raw response."""

    code: SafeString
    next_line: int
    left: int
    """How many follow."""


@dataclass(frozen=True, slots=True)
class Reply:
    """All of the response column."""

    response: Response | None
    findings: list[FindingCard]
    findings_left: int
    in_prompt: int
    reasoning: list[str]
    calls: list[Card]
    calls_left: int
    outputs: list[Card]
    outputs_left: int
    stray: list[tuple[str, int | None]]
    lines: SafeString
    next_line: int
    lines_left: int
    errors: int
    warnings: int
    infos: int


def about(
    findings: Sequence[Finding], start: int | None, end: int | None, index: int, what: str
) -> list[Finding]:
    """Findings on one call or output: by its index in their data, or by their place."""
    found = []
    for finding in findings:
        if finding.where.part != "response":
            continue
        place = finding.where.start
        inside = None not in (start, end, place) and start <= place < end  # type: ignore[operator]
        if finding.data.get(what) == index or inside:
            found.append(finding)
    return found


def result_note(result: Result | None, links: Links) -> ResultNote | None:
    """Where the result is shown, or what was posted."""
    if result is None:
        return None
    failed = result.error is not None
    came = result.error if failed else result.value
    value = came.strip() if isinstance(came, str) else as_text(came)
    value = value if len(value) <= RESULT else f"{value[:RESULT]}…"
    if result.turn is None:
        return ResultNote("Error posted" if failed else "Result posted", "", value, failed)
    place = f"turn {result.seq}" + (f", line {result.line}" if result.line else "")
    return ResultNote(
        f"{'Error' if failed else 'Result'} in {place}", links.line(result.turn, result.line), value, failed
    )


def status_of(item: Call | Output, result: Result | None) -> tuple[str, str]:
    """Class and word of the badge; what came of a call says more than its check."""
    css, word = STATUS.get(item.status, ("wait", item.status))
    if result is not None and item.status in ("ok", "unchecked"):
        return ("err", "Failed") if result.error is not None else ("ok", "Ran")
    return css, word


def raw_body(raw: str, as_json: bool) -> SafeString | None:
    """Raw content with colours, for what could not be taken apart."""
    if not raw.strip():
        return None
    return block(highlighted(shortened(raw), JSON if as_json else PROMPT)[:60])


def fitted[Said: (Call, Output)](said: Sequence[Said], draw: Callable[[Said], Card], room: int) -> list[Card]:
    """Cards in order, as many as the page holds; one always fits."""
    cards: list[Card] = []
    for item in said:
        card = draw(item)
        room -= 22 + 3 * len(card.attributes) + sum(8 + 2 * len(row.chips) for row in card.arguments)
        room -= sum(row.code.count("</") for row in card.arguments) + (card.body or "").count("</")
        if room < 0 and cards:
            break
        cards.append(card)
    return cards


def offer_of(offers: Sequence[Offer], name: str) -> Offer | None:
    """The offer that this name means; the first of several."""
    return next((offer for offer in offers if offer.name == name), None)


@dataclass(frozen=True, slots=True)
class ReplyView:
    """A turn's response with what is needed to judge it."""

    reading: Reading
    links: Links
    turn: Turn = NO_TURN
    """Whose prompt may show where the values of calls come from."""

    def line(self, offset: int | None) -> int | None:
        """Line of an offset into the response."""
        response = self.reading.response
        return None if response is None or offset is None else line_in(response.text, offset)[0]

    def call(self, call: Call) -> Card:
        """An action call with its arguments against the schema that the prompt shows."""
        response = self.reading.response
        offer = offer_of(self.reading.contract.actions, call.name)
        found = about(self.reading.findings, call.start, call.end, call.index, "call")
        references = (
            [r for r in response.references if r.where == "call" and r.index == call.index]
            if response
            else []
        )
        css, word = status_of(call, call.result)
        schema = offer.schema if offer else None
        rows = arguments(call.arguments, schema, found, references, self.sources(call))
        return Card(
            call.index,
            call.name[:200],
            "actions",
            css,
            word,
            tuple((k, v) for k, v in list(call.attributes.items())[:20] if k != "name"),
            rows,
            None if rows else raw_body(call.raw, call.json is not None),
            "; ".join(call.mended[:3]),
            () if rows else chips(call.raw, references),
            result_note(call.result, self.links),
            self.line(call.start),
        )

    def sources(self, call: Call) -> dict[str, tuple[int, str]]:
        """For each argument the line of the prompt that shows its value, or the first of its values."""
        found: dict[str, tuple[int, str]] = {}
        for ground in grounds(self.turn, self.reading, call) if self.turn.messages else ():
            name = ground.path[0] if ground.path else None
            if isinstance(name, str):
                address = f"{self.links.base}?line={ground.line}#L{ground.line}"
                found.setdefault(name, (ground.line, address))
        return found

    def output(self, output: Output) -> Card:
        """An output with its content."""
        response = self.reading.response
        offer = offer_of(self.reading.contract.outputs, output.name)
        found = about(self.reading.findings, output.start, output.end, output.index, "output")
        references = (
            [r for r in response.references if r.where == "output" and r.index == output.index]
            if response
            else []
        )
        css, word = status_of(output, None)
        rows = arguments(output.data, offer.schema if offer else None, found, references)
        return Card(
            output.index,
            output.name[:200],
            "outputs",
            css,
            word,
            tuple((k, v) for k, v in list(output.attributes.items())[:20] if k not in ("name", "type")),
            rows,
            None if rows else raw_body(output.raw, output.data is not None),
            "",
            () if rows else chips(output.raw, references),
            None,
            self.line(output.start),
        )

    def lines(self, first: int, most: int, room: int, marked: int | None = None) -> RawLines:
        """Lines of the raw response from ``first`` on, the number of the next one, and how many follow."""
        response = self.reading.response
        if response is None or not response.text:
            return RawLines(code([]), 1, 0)
        texts = response.text.split("\n")
        first = max(1, min(first, len(texts)))
        text = "\n".join(texts[first - 1 : first - 1 + most])
        spans = highlighted(text) if len(text) <= LARGEST else plain(text)
        flagged: Mapping[int, list[Finding]] = by_line(self.reading.findings, "response")
        lines = []
        for number, line in enumerate(spans, first):
            found = flagged.get(number, [])
            lines.append(CodeLine(number, f"R{number}", line, worst(found), flags(found), number == marked))
        lines = lines[: fitting(lines, room)]
        following = first + len(lines)
        return RawLines(code(lines), following, len(texts) - following + 1)

    def reply(self, *, whole: bool = False, first: int = 1, marked: int | None = None) -> Reply:
        """The column beside the prompt, or the whole of it for its own tab."""
        reading, response = self.reading, self.reading.response
        room = ALL if whole else BESIDE
        listed = worst_first(reading.findings)[: room.findings]
        calls = fitted(response.calls if response else (), self.call, room.cards)
        outputs = fitted(response.outputs if response else (), self.output, room.cards)
        raw = self.lines(first, room.lines, room.text, marked)
        return Reply(
            response,
            [card_of(finding, self.links.base) for finding in listed],
            len(reading.findings) - len(listed),
            sum(1 for finding in reading.findings if finding.where.part == "prompt"),
            [
                span.text[: PROSE * (5 if whole else 1)]
                for span in (response.reasoning if response else ())[:20]
            ],
            calls,
            len(response.calls) - len(calls) if response else 0,
            outputs,
            len(response.outputs) - len(outputs) if response else 0,
            [(s.text.strip()[:PROSE], self.line(s.start)) for s in (response.stray if response else ())[:20]],
            raw.code,
            raw.next_line,
            raw.left,
            *(
                sum(1 for f in reading.findings if f.severity == severity)
                for severity in ("error", "warning", "info")
            ),
        )
