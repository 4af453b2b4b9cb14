"""What is left of a text that a prompt does not hold whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.turns.lineage import presence
from inspector.turns.traces import _overlap, trace
from inspector.turns.turn import ReadTurn
from tests.turns.made import made, said, tag

TEXT = "Berth 7 is free for two nights, and it has power."


def prompt(text: str, seq: int = 1) -> ReadTurn:
    return made(
        said("system", tag("role", "You are the harbour master.\n"), tag("log", f"{text}\n")), seq=seq
    )


@pytest.mark.parametrize(
    ("held", "state", "kept"),
    [
        ("Berth 7 is free…", "cut", 15),
        ("Berth 7 is free ...", "cut", 15),
        ("Berth 7 is free [truncated 34 characters]", "cut", 15),
        ("Berth 7 is free for two nights", "cut", 30),
        ("… and it has power.", "cut", 18),
        ("[12 lines omitted] two nights, and it has power.", "cut", 29),
        ("Berth 7 is free for ██████████, and it has power.", "masked", 39),
        ("Berth 7 is free for [REDACTED], and it has power.", "masked", 39),
        ("Berth 7 is free for *** nights, and it has power.", "masked", 46),
        ("Berth 7 is free for <masked:time>", "masked", 20),
    ],
)
def test_what_is_left(held: str, state: str, kept: int) -> None:
    found = trace(prompt(held), TEXT)
    assert found is not None
    assert found.state == state
    assert found.kept in (kept, kept + 1)


@pytest.mark.parametrize(
    "held",
    [
        "Berth 7 is free (ask Nora).",
        "Berth 7 is free</log> <log>",
        "Berth 7 is taken…",
        "██████████",
        "Berth 7 is free for ██ and it has power.",
        "Nothing of it.",
        "",
    ],
)
def test_what_is_no_trace(held: str) -> None:
    assert trace(prompt(held), TEXT) is None


def test_a_message_that_ends_in_the_middle_of_a_long_text_cut_it() -> None:
    text = " ".join(f"Berth {n} is free." for n in range(40))
    assert trace(made(said("user", f"Log: {text[:60]}")), text) is not None
    assert trace(made(said("user", f"Log: {text[:30]}")), text) is None


def test_short_and_very_long_texts_have_no_traces() -> None:
    assert trace(prompt("Berth…"), "Berth 7") is None
    assert trace(prompt("a" * 100 + "…"), "a" * 3_000) is None


@given(st.text(alphabet="ab", max_size=30), st.text(alphabet="ab", max_size=30))
def test_an_overlap_is_the_longest_there_is(left: str, right: str) -> None:
    sizes = [size for size in range(min(len(left), len(right)) + 1) if left.endswith(right[:size])]
    assert _overlap(left, right) == max(sizes)


def test_hostile_masks_cost_little() -> None:
    text = "a" * 1_999 + "b"
    assert trace(made(said("user", ("a" * 500 + "***") * 2_000)), text) is not None


# ---------------------------------------------------------------- over a session


def verdict(*texts: str) -> tuple[str, list[str]]:
    found = presence([prompt(text, seq) for seq, text in enumerate(texts, 1)], TEXT)
    return found.verdict, [each.state for each in found.turns]


def test_cut_and_masked_turns_are_told_apart() -> None:
    assert verdict(TEXT, "Berth 7 is free…") == ("cut", ["present", "cut"])
    assert verdict(TEXT, TEXT.replace("two nights", "█" * 10)) == ("masked", ["present", "masked"])
    assert verdict("Berth 7 is free…", TEXT) == ("present", ["cut", "present"])
    assert verdict(TEXT, "Berth 7 is free…", "Nothing.") == ("left", ["present", "cut", "absent"])
    assert verdict("Nothing.", "Berth 7 is free…") == ("cut", ["absent", "cut"])


def test_a_text_that_fell_into_what_its_section_leaves_out_was_cut() -> None:
    lines = "Nora called.\n" * 5
    shorter = f"{lines}[truncated: 40 lines]"
    assert verdict(lines + TEXT, shorter) == ("cut", ["present", "cut"])
    assert verdict(f"{lines}{TEXT}\n[truncated: 40 lines]", shorter) == ("left", ["present", "absent"])
    found = presence([prompt(lines + TEXT, 1), prompt(shorter, 2)], TEXT)
    assert (found.turns[1].sections, found.turns[1].kept) == (("log",), 0)
