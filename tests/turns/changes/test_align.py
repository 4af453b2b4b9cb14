"""Which section became which: across messages, roles and dialects."""

from inspector.turns.changes import compare
from inspector.turns.turn import ReadTurn
from tests.turns.made import made, part, said, tag

RULES = "Answer in one sentence.\nNever guess.\nAsk when unsure.\n"


def found(old: ReadTurn, new: ReadTurn) -> list[tuple[str, str]]:
    return [(each.path, each.change) for each in compare(old, new).sections]


def test_a_prompt_that_gained_a_prefill_keeps_its_sections() -> None:
    old = made(said("user", tag("role", "You help.\n" * 9), tag("rules", "One.\n"), tag("state", "calm\n")))
    new = made(
        said(
            "user",
            tag("role", "Someone else entirely, who writes of other things.\n"),
            tag("state", "calm\n"),
        ),
        said("user", "and one more"),
        said("assistant", "<think>"),
    )
    assert ("state", "same") in found(old, new)
    assert ("role", "changed") in found(old, new)


def test_a_section_that_went_to_another_role_and_changed_is_one_change() -> None:
    old = made(said("system", tag("role", "You help.\n"), tag("rules", RULES)))
    new = made(said("system", tag("role", "You help.\n")), said("user", tag("rules", RULES + "Be kind.\n")))
    assert found(old, new) == [("role", "same"), ("rules", "changed")]
    change = compare(old, new).sections[1]
    assert change.note == "moved"
    assert [line.text for hunk in change.hunks for line in hunk.lines if line.op != "="] == ["Be kind."]


def test_a_message_that_moved_moves_its_sections() -> None:
    old = made(said("system", "Be brief, always."), said("user", "Hi"), said("user", "there"))
    new = made(said("user", "Hi"), said("user", "there"), said("system", "Be brief, always."))
    assert [change for _, change in found(old, new)].count("moved") == 1


def test_repeats_are_told_apart_by_what_they_say() -> None:
    def notes(*texts: str) -> ReadTurn:
        return made(said("user", tag("notes", *(tag("note", f"{text}\n") for text in texts))))

    old = notes("the cat sleeps on the red mat", "buy milk and bread", "call the dentist at noon")
    new = notes("buy milk and bread", "the cat sleeps on the blue mat", "call the dentist at noon")
    changes = found(old, new)
    assert ("notes/note#3", "same") in changes
    assert sum(change in ("added", "removed") for _, change in changes) <= 2


def test_many_changed_siblings_are_each_changed() -> None:
    def results(suffix: str) -> ReadTurn:
        return made(
            said("user", *(tag("result", f"reading number {n} of the sensor {suffix}\n") for n in range(60)))
        )

    summary = compare(results("old"), results("new")).summary
    assert (summary.changed, summary.added, summary.removed) == (60, 0, 0)


def test_another_key_is_another_thing_however_alike() -> None:
    def actions(*names: str) -> ReadTurn:
        schema = (
            '{"type": "object", "properties": {"id": {"type": "string"}}, "additionalProperties": false}\n'
        )
        return made(
            said("user", *(tag(f"action[{name}]", f"{name} does {name}\n", schema) for name in names))
        )

    assert found(actions("read", "walk"), actions("read", "swim")) == [
        ("action[read]", "same"),
        ("action[walk]", "removed"),
        ("action[swim]", "added"),
    ]


def test_a_section_that_is_followed_by_another_one_now_stays_the_same() -> None:
    old = made(said("system", part("role", "You help.\n\n"), part("rules", "Be brief.")))
    new = made(
        said("system", part("role", "You help.\n\n"), part("rules", "Be brief.\n\n"), part("memory", "Ann."))
    )
    changes = compare(old, new)
    assert [(each.path, each.change) for each in changes.sections] == [
        ("role", "same"),
        ("rules", "same"),
        ("memory", "added"),
    ]
    assert changes.sections[1].note == "only the blank space behind it differs"
    assert (changes.summary.same, changes.summary.added) == (2, 1)


def test_blank_space_that_came_at_the_end_of_a_message_is_told() -> None:
    old, new = made(said("user", part("a", "x"))), made(said("user", part("a", "x\n")))
    (section,) = compare(old, new).sections
    assert (section.change, section.note) == ("changed", "only the blank space at its end differs")
    assert section.whitespace_only
    (section,) = compare(old, new, ignore_whitespace=True).sections
    assert section.note == "only what is ignored differs"


def test_a_tool_s_name_does_not_pair_its_results() -> None:
    old = made(said("user", "Go"), said("tool", "Written: loader.py (15 lines)"), said("assistant", "Next."))
    new = made(said("user", "Go"), said("assistant", "Next."), said("tool", "id,price\n1,2.5"))
    assert found(old, new) == [
        ("user", "same"),
        ("tool", "removed"),
        ("assistant", "same"),
        ("tool", "added"),
    ]
