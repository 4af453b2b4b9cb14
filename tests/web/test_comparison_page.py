"""The comparison of two turns."""

import pytest

from inspector.store.models import Turn
from inspector.store.readings import read_turn_of
from inspector.turns.changes.change import Changes, Hunk, Line, SectionChange, Stretch
from inspector.turns.turn import Prefix, SectionCounts, Tool
from inspector.web.comparison.break_words import tools_words
from inspector.web.comparison.drawn import PANELS, Run, Shown, drawn
from inspector.web.comparison.gap import opened
from inspector.web.comparison.rows import Room, pairs_of, rows_of
from tests.web.cast import Cast
from tests.web.pages import page_of

BASE = "/p/harbour-desk/compare/turn-1/turn-2/"


def line(op: str, text: str, old: int | None = None, new: int | None = None) -> Line:
    return Line(op, text, (), old, new)  # type: ignore[arg-type]


def section(number: int, change: str = "changed", hunks: tuple[Hunk, ...] = ()) -> SectionChange:
    place = Stretch(f"s{number}", f"Section {number}", 0, 0, 1, number, number, 1, "0")
    return SectionChange(f"s{number}", "other", f"Section {number}", 0, change, place, place, hunks=hunks)  # type: ignore[arg-type]


def changes(*sections: SectionChange) -> Changes:
    return Changes(SectionCounts(), 0, Prefix(0, 0, 1, 0.0, None, 0), sections, (), False)


def test_it_shows_figures_prefix_and_changed_lines(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(BASE))
    assert "Turn 1 → turn 2" in page.words
    assert "Shared prefix" in page.words
    assert "skipper 1: a berth for the night, please" in page.words
    assert "unchanged sections" in page.words
    assert any(tag == "ins" for tag, _ in page.elements)
    assert any(tag == "tr" and at.get("class") == "add" for tag, at in page.elements)


def test_split_shows_both_sides(cast: Cast, turns: list[Turn]) -> None:
    response = cast.viewer.get(f"{BASE}?view=split")
    assert b"diff--split" in response.content
    assert (
        "?view=split&amp;ws=0" in response.content.decode() or "view=split&ws=0" in response.content.decode()
    )


def test_options_keep_each_other(cast: Cast, turns: list[Turn]) -> None:
    links = page_of(cast.viewer.get(f"{BASE}?view=split&ws=0")).links
    assert f"{BASE}?view=split" in links
    assert f"{BASE}?ws=0" in links
    assert f"{BASE}?view=split&ws=0&volatile=0" in links


def test_two_radio_buttons_lead_to_the_comparison(cast: Cast, turns: list[Turn]) -> None:
    response = cast.viewer.get("/p/harbour-desk/compare/?a=turn-1&b=turn-3")
    assert response["Location"] == "/p/harbour-desk/compare/turn-1/turn-3/"
    assert cast.viewer.get("/p/harbour-desk/compare/?a=turn-1").status_code == 400


def test_a_turn_compared_with_itself_is_the_same(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get("/p/harbour-desk/compare/turn-1/turn-1/"))
    assert "wholly shared" in page.words


def test_a_turn_that_was_not_read_cannot_be_compared(cast: Cast, turns: list[Turn]) -> None:
    cast.post({"id": "late", "prompt": "x"}, read=False)
    assert cast.viewer.get("/p/harbour-desk/compare/turn-1/late/").status_code == 404


def test_unchanged_sections_in_a_row_become_one_run() -> None:
    found = drawn(changes(section(0, "same"), section(1, "same"), section(2), section(3, "same"))).entries
    assert [type(entry) for entry in found] == [Run, Shown, Run]
    assert isinstance(found[0], Run)
    assert len(found[0].sections) == 2


def test_changed_sections_are_paged_without_losing_one() -> None:
    everything = changes(*(section(n) for n in range(2 * PANELS + 5)))
    seen: list[int] = []
    skip: int | None = 0
    while skip is not None:
        page = drawn(everything, skip=skip)
        seen += [entry.number for entry in page.entries if isinstance(entry, Shown)]
        skip = page.next_panel
    assert seen == list(range(2 * PANELS + 5))


def test_one_section_can_be_shown_alone() -> None:
    page = drawn(changes(section(0), section(1, "same"), section(2)), only=2)
    assert [entry.number for entry in page.entries if isinstance(entry, Shown)] == [2]


def test_gaps_between_hunks_are_counted() -> None:
    hunks = (Hunk(1, 1, (line("=", "a", 1, 1),)), Hunk(9, 9, (line("+", "b", None, 9),)))
    rows, left = rows_of(hunks, False, Room())
    assert [(row.gap, row.sign) for row in rows] == [(0, ""), (7, ""), (0, "+")]
    assert left == 0


def test_lines_that_do_not_fit_are_counted() -> None:
    hunk = Hunk(1, 1, tuple(line("+", "x", None, n) for n in range(1, 1001)))
    rows, left = rows_of((hunk,), False, Room())
    assert 0 < len(rows) < 1000
    assert len(rows) + left == 1000


def test_removed_lines_stand_beside_the_lines_that_took_their_place() -> None:
    hunk = Hunk(1, 1, (line("-", "a", 1), line("-", "b", 2), line("+", "c", None, 1), line("=", "d", 3, 2)))
    pairs = pairs_of(rows_of((hunk,), True, Room())[0])
    sides = [(pair.left and str(pair.left.code), pair.right and str(pair.right.code)) for pair in pairs]
    assert sides == [("a", "c"), ("b", None), ("d", "d")]


@pytest.mark.parametrize("change", ["added", "removed", "changed", "moved", "renamed"])
def test_every_change_has_a_glyph_and_a_word(change: str) -> None:
    (entry,) = drawn(changes(section(0, change))).entries
    assert isinstance(entry, Shown)
    assert entry.glyph
    assert entry.word == change


def long_prompt(first: str, last: str) -> str:
    """One section with forty lines between two that differ."""
    return "\n".join(["# Notes", first, *(f"line {number}" for number in range(40)), last])


@pytest.mark.parametrize(("view", "columns"), [("", 4), ("view=split&", 6)])
def test_a_gap_opens_in_place_and_says_what_is_left(cast: Cast, view: str, columns: int) -> None:
    cast.post({"id": "g1", "session": "g", "prompt": long_prompt("a", "b")})
    cast.post({"id": "g2", "session": "g", "prompt": long_prompt("c", "d")})
    here = f"/p/harbour-desk/compare/g1/g2/?{view}"
    page = page_of(cast.viewer.get(here))
    (wanted,) = [at["hx-get"] for _, at in page.elements if "gap=" in (at.get("hx-get") or "")]
    assert wanted is not None
    assert wanted.startswith(here)
    assert any("?line=" in link for link in page.links)
    opened = page_of(cast.viewer.get(wanted, headers={"HX-Request": "true"}))
    codes = [tag for tag, _ in opened.elements].count("code")
    lines = [word for word in opened.words.split() if word.isdigit()]
    assert {tag for tag, _ in opened.elements} <= {"tbody", "tr", "td", "code", "span"}
    assert [int(each) for each in lines[:: 1 if columns == 4 else 2]] == list(range(3, 37))
    assert codes == len(lines)


def test_a_long_gap_opens_step_by_step_and_never_past_the_end(cast: Cast) -> None:
    cast.post({"id": "g1", "session": "g", "prompt": "\n".join(str(number) for number in range(900))})
    turn = cast.post({"id": "g2", "session": "g", "prompt": "\n".join(str(number) for number in range(900))})
    first = opened(read_turn_of(turn), 1, 1, 10**9, split=False)
    assert len([row for row in first.rows if not row.gap]) == 200
    assert (first.rows[-1].new, first.rows[-1].gap) == (201, 700)
    assert opened(read_turn_of(turn), 901, 901, 5, split=False).rows == ()


def test_a_section_that_changed_too_much_says_how_much_is_not_drawn(cast: Cast) -> None:
    for name, word in (("big-1", "old"), ("big-2", "new")):
        cast.post(
            {"id": name, "session": "big", "prompt": "".join(f"{word} line {n}\n" for n in range(3_000))}
        )
    response = cast.viewer.get("/p/harbour-desk/compare/big-1/big-2/")
    page = page_of(response)
    assert "+3,000 −3,000" in page.words
    drawn_rows = sum(1 for tag, at in page.elements if tag == "tr" and at.get("class") in ("add", "del"))
    assert f"{6_000 - drawn_rows:,} lines of changes are not on this page" in page.words
    assert 100 < drawn_rows < 1_000


def test_later_changed_sections_are_drawn_on_their_own_page(cast: Cast) -> None:
    for name, word in (("many-1", "calm"), ("many-2", "rough")):
        text = "".join(f"# Part {n}\nThe sea is {word} at pier {n}.\n" for n in range(PANELS + 5))
        cast.post({"id": name, "session": "many", "prompt": text})
    first = page_of(cast.viewer.get("/p/harbour-desk/compare/many-1/many-2/")).words
    later = page_of(cast.viewer.get(f"/p/harbour-desk/compare/many-1/many-2/?skip={PANELS}")).words
    for words, inside, outside in ((first, 3, PANELS + 3), (later, PANELS + 3, 3)):
        assert f"The sea is rough at pier {inside} ." in words or f"rough at pier {inside}." in words
        assert f"at pier {outside}." not in words


def post_signals(cast: Cast, number: int, flags: list[str], required: list[str], response: str) -> Turn:
    schema = {
        "type": "object",
        "properties": {"flag": {"type": "string", "enum": flags}, "ship": {"type": "string"}},
    }
    tool = {"type": "function", "function": {"name": "signal", "parameters": schema | {"required": required}}}
    calls = [{"id": "c", "type": "function", "function": {"name": "signal", "arguments": response}}]
    return cast.post(
        {
            "id": f"signal-{number}",
            "session": "signals",
            "messages": [{"role": "user", "content": "Signal the ship."}],
            "tools": [tool],
            "response": {"role": "assistant", "content": "", "tool_calls": calls},
        }
    )


def test_earlier_calls_that_the_newer_prompt_would_refuse_are_named(cast: Cast) -> None:
    post_signals(cast, 1, ["red", "blue"], ["flag"], '{"flag": "blue"}')
    post_signals(cast, 2, ["red", "blue"], ["flag"], '{"flag": "red", "ship": "Undine"}')
    post_signals(cast, 3, ["red"], ["flag", "ship"], '{"flag": "red", "ship": "Undine"}')
    for address in ("/p/harbour-desk/compare/signal-2/signal-3/", "/p/harbour-desk/t/signal-3/?tab=changes"):
        page = page_of(cast.viewer.get(address))
        assert "2 breaking" in page.words
        assert "signal.ship ~ argument required" in page.words
        assert (
            "signal.flag ~ enum narrowed red, blue red Breaking: what was right before may be refused"
            in page.words
        )
        assert (
            "1 earlier call of this session would now be refused 2 turns up to turn 2 looked at" in page.words
        )
        assert "Turn 1 signal" in page.words
        assert "/p/harbour-desk/t/signal-1/#call-0" in page.links
        assert "ship: expected text, got nothing" in page.words


def tools(*names: str, about: str = "") -> tuple[Tool, ...]:
    return tuple(Tool(name, about or None, {"type": "object"}) for name in names)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (tools("a", "b"), tools("b", "a"), "the same tools stand in another order"),
        (tools("a"), tools("a", "b"), "the tools changed: added b"),
        (tools("a", "b"), tools("b"), "the tools changed: removed a"),
        (tools("a"), tools("a", about="New."), "the tools changed: changed a"),
        (tools("a", "b"), tools(*"bcdefg"), "the tools changed: added c, d, e and 2 more; removed a"),
        (tools("a"), tools("a", "a"), "the list of tools changed"),
    ],
)
def test_what_became_of_the_tools_is_told(old: tuple[Tool, ...], new: tuple[Tool, ...], words: str) -> None:
    assert tools_words(old, new) == words


def test_a_break_in_the_tools_stands_before_the_first_message(cast: Cast) -> None:
    for number, names in ((1, ("look", "lock")), (2, ("lock", "look"))):
        offered = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in names]
        said = [{"role": "user", "content": "Hi."}]
        cast.post({"id": f"order-{number}", "session": "order", "messages": said, "tools": offered})
    words = page_of(cast.viewer.get("/p/harbour-desk/compare/order-1/order-2/")).words
    assert "Breaks before the first message: the same tools stand in another order." in words


def test_a_prompt_that_is_the_beginning_of_the_older_one_says_so(cast: Cast) -> None:
    for number, text in ((1, "One.\nTwo.\n"), (2, "One.\n")):
        cast.post({"id": f"short-{number}", "session": "short", "prompt": text})
    words = page_of(cast.viewer.get("/p/harbour-desk/compare/short-1/short-2/")).words
    assert "The newer prompt is the beginning of the older one" in words
