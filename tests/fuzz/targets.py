"""What is fuzzed: each target takes any bytes and raises only where something that must hold does not.

Bytes that are not UTF-8 become lone surrogates, so that every input is a text and every kind of text is
reached. ``PART`` parts the pieces of an input, ``MESSAGE`` the messages of a prompt.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from inspector.turns import DIALECTS, NotATurn, ReadTurn, Unreadable, choose, read_turn
from inspector.turns.arguments import parse
from inspector.turns.changes import compare, since
from inspector.turns.changes.hunks import Limits, hunks
from inspector.turns.changes.numbered import Numbered
from inspector.turns.changes.words import changed_words
from inspector.turns.contract import contract_of
from inspector.turns.findings import Context, findings_of
from inspector.turns.lineage import blame, presence
from inspector.turns.payload import parse as parse_payload
from inspector.turns.redaction import emails_in, secrets_in
from inspector.turns.references import references_of
from inspector.turns.responses import hear
from inspector.turns.results import link
from inspector.turns.scan import attributes_of, scan
from inspector.turns.sections import sections_of
from inspector.turns.turn import Message, ResponseBody, Tool, Turn
from inspector.turns.wires import WIRES, read_payload
from tests.fuzz.holds import assert_changes, assert_hunks, assert_offers, assert_reading, assert_response
from tests.turns.changes.test_lines import patched
from tests.turns.responses.reading import CONTRACT
from tests.turns.whole import assert_whole

PART = "\x1e"
MESSAGE = "\x1f"
ROLES = ("system", "user", "assistant", "tool")
CARDS = [dialect.at(layout) for dialect in DIALECTS for layout in (None, *dialect.layouts)]
TOOLS = tuple(Tool(offer.name, offer.description, offer.schema) for offer in CONTRACT.actions)


def text_of(data: bytes) -> str:
    """Any bytes as a text."""
    return data.decode("utf-8", "surrogateescape")


def record(data: bytes) -> None:
    """Posted bytes through every wire, and read by the likeliest one."""
    try:
        payload = parse_payload(data)
        turn = read_payload(payload)
    except (NotATurn, Unreadable):
        return
    stumbled = [note for note in turn.notes if "wire failed" in note or "wire could not" in note]
    assert not stumbled, stumbled[0]
    for wire in WIRES:
        assert 0 <= wire.likelihood(payload) <= 1
        try:
            wire.read(payload)
        except Unreadable:
            continue
    try:
        reading = read_turn(turn)
    except Unreadable:
        return
    assert_reading(turn, reading)


def prompt(data: bytes) -> None:
    """A prompt by the dialect that its first character picks."""
    dialect, text = _picked(DIALECTS, text_of(data))
    turn = Turn(messages=_messages(text))
    assert 0 <= dialect.likelihood(turn) <= 1
    found = sections_of(turn, dialect)
    assert_whole(turn, found.sections)
    for note in found.notes:
        assert 0 <= note.start <= note.end <= len(turn.messages[note.message].text), note.rule
    assert_offers(turn, contract_of(turn, found.sections, dialect.at(found.layout)))
    choose(turn)
    by_name = replace(turn, dialect=dialect.name)
    assert_reading(by_name, read_turn(by_name))


def response(data: bytes) -> None:
    """A response by the grammar that the first character picks; what is before ``PART`` is its prefill."""
    card, both = _picked(CARDS, text_of(data))
    prefill, _, text = both.rpartition(PART)
    turn = Turn(messages=(Message("user", "go"),), response=ResponseBody(text), prefill=prefill)
    heard = hear(turn, CONTRACT, card)
    assert heard is not None
    assert heard.response.text.endswith(text)
    assert_response(heard.response)
    for quirk in heard.quirks:
        assert 0 <= quirk.start <= quirk.end <= len(heard.response.text), quirk.name
    references = references_of(turn, heard.response, card, (), ())
    context = Context(turn, card, (), CONTRACT, replace(heard.response, references=references), heard)
    failed = [finding.message for finding in findings_of(context) if finding.rule == "reading-failed"]
    assert not failed, failed[0]
    by_name = replace(turn, dialect=card.name, tools=TOOLS)
    assert_reading(by_name, read_turn(by_name))


def comparison(data: bytes) -> None:
    """Two prompts, parted by ``PART``, as turns of one session, in a way that the first character picks."""
    way, both = _picked(WAYS, text_of(data))
    first, _, second = both.partition(PART)
    old = _read(first, (), 1)
    new = _read(second, (old,), 2)
    way(old, new)


def _plain(old: ReadTurn, new: ReadTurn) -> None:
    changes = compare(old, new)
    assert_changes(old, new, changes)
    assert since(old, new).sections == changes.summary
    back = compare(new, old).summary
    assert (back.added, back.removed) == (changes.summary.removed, changes.summary.added)


def _same(old: ReadTurn, new: ReadTurn) -> None:
    assert {change.change for change in compare(new, new).sections} <= {"same"}


def _views(old: ReadTurn, new: ReadTurn) -> None:
    for whitespace, volatile in ((True, False), (False, True), (True, True)):
        changes = compare(old, new, ignore_whitespace=whitespace, ignore_volatile=volatile)
        assert_changes(old, new, changes)


def _lines(old: ReadTurn, new: ReadTurn) -> None:
    """Hunks make one text into the other; what two lines share beside their changed words is equal."""
    first, second = (MESSAGE.join(message.text for message in read.turn.messages) for read in (old, new))
    before, after = first.split("\n"), second.split("\n")
    drawn = hunks(_numbered(before), _numbered(after), Limits.fresh())
    assert patched(before, drawn) == after
    assert_hunks(drawn, before, after)
    left, right = changed_words(first, second, Limits.fresh().words)
    assert _outside(first, left) == _outside(second, right)


def _lineage(old: ReadTurn, new: ReadTurn) -> None:
    covered = [number for each in blame((old, new)) for number in range(each.line, each.end_line + 1)]
    assert covered == list(range(1, new.reading.lines + 1))
    presence((old, new), new.turn.messages[0].text[:20])
    link((old,), new)


WAYS = (_plain, _lines, _views, _lineage, _same)


def arguments(data: bytes) -> None:
    """A text as arguments: strict, cut short or mended JSON."""
    raw = text_of(data)
    parsed = parse(raw)
    assert 0 <= parsed.offset <= len(raw)
    assert 0 <= parsed.offset + parsed.length <= len(raw)
    assert 0 <= parsed.error_at <= len(raw)
    if parsed.state is None:
        assert parsed.value is None


def marks(data: bytes) -> None:
    """The marks of a text, its secrets and its addresses."""
    text = text_of(data)
    found = scan(text)
    assert found.complete or len(text) > 20_000
    starts = [mark.start for mark in found.marks]
    assert starts == sorted(starts)
    for mark in found.marks:
        assert 0 <= mark.start < mark.end <= len(text)
        if mark.close_start >= 0:
            assert mark.end <= mark.close_start <= mark.close_end <= len(text)
        if mark.sort == "tag":
            assert text.startswith(f"<{mark.name}", mark.start)
            attributes_of(mark.attributes)
            if mark.close_start >= 0:
                assert text.startswith(f"</{mark.name}", mark.close_start)
    for finds in (secrets_in(text), emails_in(text)):
        at = 0
        for start, end, _ in finds:
            assert at <= start < end <= len(text)
            at = end


def _picked[Item](items: Sequence[Item], text: str) -> tuple[Item, str]:
    """One of some items by a text's first character, and the rest of the text."""
    return items[ord(text[0]) % len(items)] if text else items[0], text[1:]


def _messages(text: str) -> tuple[Message, ...]:
    pieces = text.split(MESSAGE)
    return tuple(Message(ROLES[index % len(ROLES)], piece) for index, piece in enumerate(pieces))


def _read(text: str, earlier: tuple[ReadTurn, ...], seq: int) -> ReadTurn:
    turn = Turn(messages=_messages(text), id=f"t{seq}", response=ResponseBody(text[-400:]))
    reading = read_turn(turn, earlier, id=f"t{seq}", seq=seq)
    assert_reading(turn, reading)
    return ReadTurn(f"t{seq}", seq, turn, reading)


def _numbered(lines: list[str]) -> Numbered:
    return Numbered(lines, list(range(1, len(lines) + 1)))


def _outside(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    kept, at = "", 0
    for start, end in spans:
        kept += text[at:start]
        at = end
    return kept + text[at:]


TARGETS: dict[str, Callable[[bytes], None]] = {
    "record": record,
    "prompt": prompt,
    "response": response,
    "comparison": comparison,
    "arguments": arguments,
    "marks": marks,
}
