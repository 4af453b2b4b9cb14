"""Exactly what each kind of link shows, question by question."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from inspector.ingest import intake
from inspector.ingest.posted import Posted
from inspector.jobs.reading import read as read_now
from inspector.sharing import links, reading, scope
from inspector.sharing.errors import OutOfScope
from inspector.store.models import Share, Turn
from inspector.store.readings import read_turn_of
from inspector.turns.answer import changes_answer, turn_answer
from inspector.turns.changes import compare
from tests.sharing.cast import EMAIL, SECRET, Cast, cast, post

pytestmark = pytest.mark.django_db


@pytest.fixture
def harbour() -> Cast:
    return cast()


def link(harbour: Cast, kind: str, **more: Any) -> Share:
    fields: dict[str, dict[str, Any]] = {
        "turn": {"turn": harbour.turns[1]},
        "section": {"turn": harbour.turns[1], "section": sections_of(harbour)[-1]},
        "comparison": {"turn": harbour.turns[1], "old_turn": harbour.turns[0]},
        "session": {"session": harbour.session},
    }
    return links.create(harbour.project, scope=kind, by=harbour.member, **fields[kind], **more)[0]


def sections_of(harbour: Cast) -> list[str]:
    shown = reading.read_turn(
        links.create(harbour.project, scope="turn", turn=harbour.turns[1], by=harbour.member)[0],
        harbour.turns[1],
    )
    return [section.path for section in shown.reading.sections]


QUESTIONS: dict[str, Callable[[Share], Any]] = {
    "session": scope.session_of,
    "turns": lambda share: list(scope.turns_of(share)),
    "its turn": scope.turn_of,
    "turn 1": lambda share: scope.turn_of(share, "voyage.1"),
    "turn 2": lambda share: scope.turn_of(share, "voyage.2"),
    "turn of another session": lambda share: scope.turn_of(share, "other.1"),
    "turn of another project": lambda share: scope.turn_of(share, "island.1"),
    "its section": scope.section_shown,
    "its comparison": scope.comparison_of,
    "comparison 1 2": lambda share: scope.comparison_of(share, "voyage.1", "voyage.2"),
    "comparison 2 1": lambda share: scope.comparison_of(share, "voyage.2", "voyage.1"),
    "comparison 2 3": lambda share: scope.comparison_of(share, "voyage.2", "voyage.3"),
    "comparison with another session": lambda share: scope.comparison_of(share, "voyage.1", "other.1"),
}
SHOWN = {
    "turn": {"its turn", "turn 2"},
    "section": {"its section"},
    "comparison": {"its comparison", "comparison 1 2"},
    "session": {"session", "turns", "turn 1", "turn 2", "comparison 1 2", "comparison 2 1", "comparison 2 3"},
}


@pytest.mark.parametrize("kind", SHOWN)
def test_a_link_answers_these_questions_and_no_others(harbour: Cast, kind: str) -> None:
    post(harbour.project, "other", 1)
    post(cast("island").project, "island", 1)
    share = link(harbour, kind)
    answered = set()
    for name, question in QUESTIONS.items():
        try:
            question(share)
        except OutOfScope:
            continue
        answered.add(name)
    assert answered == SHOWN[kind]


def test_every_question_that_scope_answers_is_asked_here() -> None:
    asked = {"session_of", "turns_of", "turn_of", "section_shown", "comparison_of"}
    found = {
        name for name, thing in vars(scope).items()
        if callable(thing) and getattr(thing, "__module__", "") == scope.__name__ and not name.startswith("_")
    }  # fmt: skip
    assert found == asked | {"rows_of", "holds"}


def test_a_turn_posted_later_is_not_in_an_old_sessions_link(harbour: Cast) -> None:
    share = link(harbour, "session")
    post(harbour.project, "voyage", 4)
    assert [turn.seq for turn in scope.turns_of(share)] == [1, 2, 3]
    with pytest.raises(OutOfScope):
        scope.turn_of(share, "voyage.4")
    assert not scope.holds(share, 4)


def shown_as(share: Share, harbour: Cast) -> str:
    shown = reading.read_turn(share, harbour.turns[1])
    return json.dumps(turn_answer(shown.turn, shown.reading), ensure_ascii=False)


def test_a_turns_link_tells_nothing_of_its_session(harbour: Cast) -> None:
    answer = json.loads(shown_as(link(harbour, "turn"), harbour))
    assert answer["since_previous"] is None
    assert answer["session"] is None
    assert "voyage.1" not in json.dumps(answer)
    assert "voyage.3" not in json.dumps(answer)


def test_the_findings_of_a_turns_link_quote_no_other_turn(harbour: Cast) -> None:
    rules = (
        "# Role\nSteer the boat.\n# Rules of the hidden reef\nMind the rocks.\n",
        "# Role\nSteer the boat.\n",
    )
    said = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "Aye."}] * 2
    for number, system in enumerate(rules, 1):
        messages = [{"role": "system", "content": system}, *said[: 2 * number - 1]]
        posted = {"id": f"reef.{number}", "session": "reef", "messages": messages, "response": "Aye."}
        body = json.dumps(posted).encode()
        (outcome,) = intake.record(harbour.project, [Posted(body, json.loads(body))])
        assert outcome.place is not None
        read_now([outcome.place.turn_id])
    row = Turn.objects.select_related("session").get(key="reef.2")
    plain = read_turn_of(row).reading.findings
    assert any("hidden reef" in finding.message for finding in plain)
    share, _ = links.create(harbour.project, scope="turn", turn=row, by=harbour.member)
    shown = reading.read_turn(share, row)
    assert len(shown.reading.findings) == len(plain)
    assert "reef" not in json.dumps(turn_answer(replace(shown.turn, id=None), shown.reading))


def test_a_sessions_link_keeps_what_joins_its_turns(harbour: Cast) -> None:
    answer = json.loads(shown_as(link(harbour, "session"), harbour))
    assert answer["since_previous"]["turn"] == "voyage.1"


def test_secrets_are_covered_unless_said_otherwise(harbour: Cast) -> None:
    assert SECRET not in shown_as(link(harbour, "turn"), harbour)
    assert SECRET in shown_as(link(harbour, "turn", mask=[]), harbour)
    assert EMAIL in shown_as(link(harbour, "turn"), harbour)
    assert EMAIL not in shown_as(link(harbour, "turn", mask=["secrets", "emails"]), harbour)


def test_a_comparison_is_made_of_covered_turns(harbour: Cast) -> None:
    old, new = reading.compared(link(harbour, "comparison", mask=["secrets", "emails"]))
    answer = json.dumps(changes_answer(compare(old, new)), ensure_ascii=False)
    assert SECRET not in answer
    assert EMAIL not in answer
    assert "█" * len(SECRET) in answer


def test_a_sections_link_shows_that_section_alone(harbour: Cast) -> None:
    shown = reading.section(link(harbour, "section"))
    assert SECRET not in shown.text
    assert "█" * len(SECRET) in shown.text
    assert "You steer a boat" not in shown.text
