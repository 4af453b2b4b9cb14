"""Whether the model saw a text."""

import pytest

from inspector.web.history import presence
from tests.web.cast import Cast
from tests.web.pages import page_of
from tests.web.test_hostile import EVIL, check

SAID = "The pilot boat is out until noon."


def prompt(*lines: str) -> str:
    return (
        "# Role\nYou are the harbour master.\n\n<log>\n" + "".join(f"{line}\n" for line in lines) + "</log>\n"
    )


@pytest.fixture
def base(cast: Cast) -> str:
    for number, lines in enumerate(
        [("Nora",), ("Nora", "Berth 7 is free for two nights"), ("Nora", "Berth 7 is free"), ("Nora",)], 1
    ):
        turn = cast.post(
            {
                "id": f"p{number}",
                "session": "presence",
                "prompt": prompt(*lines),
                "response": SAID if number == 2 else "ok",
            }
        )
    return f"/p/harbour-desk/s/{turn.session.short_id}/"


def asked(cast: Cast, base: str, text: str) -> str:
    return page_of(cast.viewer.get(f"{base}presence/", {"text": text})).words


def test_the_answer_is_in_words(cast: Cast, base: str) -> None:
    assert "There since turn 1 Turn 4, the latest one, has it." in asked(cast, base, "Nora")
    assert "Never None of 4 prompts holds it, and the model never said it." in asked(cast, base, "Undine")
    assert "Left at turn 4 It entered at turn 2 and was last seen in turn 3." in asked(cast, base, "Berth 7")
    assert "Only said by the model First in its response to turn 2." in asked(cast, base, SAID)


def test_a_text_of_which_the_beginning_is_left_was_cut(cast: Cast, base: str) -> None:
    cast.post({"id": "p5", "session": "presence", "prompt": prompt("Berth 7 is free for")})
    assert "Cut at turn 3" in asked(cast, base, "Berth 7 is free for two nights")


def test_a_text_in_other_letters_is_hinted_at(cast: Cast, base: str) -> None:
    assert "Turn 1 has it with other capitals or other spacing." in asked(cast, base, "NO RA")


def test_each_turn_has_a_cell_and_what_is_there_a_line(cast: Cast, base: str) -> None:
    response = cast.viewer.get(f"{base}presence/", {"text": "Berth 7"})
    answer = response.context["answer"]
    assert [(cell.seq, cell.css) for cell in answer.cells] == [(1, ""), (2, "is-in"), (3, "is-in"), (4, "")]
    assert [(stay.words, stay.line) for stay in answer.stays] == [
        ("Turn 4", None),
        ("Turns 2–3", 6),
        ("Turn 1", None),
    ]
    assert "/p/harbour-desk/t/p3/?line=6#L6" in page_of(response).links


def test_said_by_the_model_leads_to_the_response(cast: Cast, base: str) -> None:
    links = page_of(cast.viewer.get(f"{base}presence/", {"text": SAID})).links
    assert "/p/harbour-desk/t/p2/?tab=response" in links


def test_a_text_over_several_lines_is_found_as_forms_send_it(cast: Cast, base: str) -> None:
    assert "There since turn 1" in asked(cast, base, "<log>\r\nNora")


def test_the_session_s_page_has_the_box_and_htmx_gets_the_answer_alone(cast: Cast, base: str) -> None:
    page = page_of(cast.viewer.get(base))
    forms = [at for tag, at in page.elements if tag == "form" and at.get("hx-get")]
    assert forms[0]["action"] == forms[0]["hx-get"] == f"{base}presence/"
    part = cast.viewer.get(f"{base}presence/?text=Nora", headers={"HX-Request": "true"})
    assert b"<html" not in part.content
    assert b"There since turn 1" in part.content


def test_without_a_text_there_is_only_the_box(cast: Cast, base: str) -> None:
    response = cast.viewer.get(f"{base}presence/?text=%20")
    assert response.context["answer"] is None
    assert response.status_code == 200


def test_what_is_not_looked_through_is_told(cast: Cast, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "LETTERS", 100)
    words = asked(cast, base, "Nora")
    assert "1 turn looked through" in words
    assert "3 turns by other agents, older or not read are left out." in words


def test_a_long_session_is_a_lane(cast: Cast) -> None:
    for number in range(60):
        turn = cast.post(
            {"id": f"l{number}", "session": "long", "prompt": prompt("Nora" if number % 2 else "Ulf")},
            read=number == 59,
        )
    response = cast.viewer.get(f"/p/harbour-desk/s/{turn.session.short_id}/presence/?text=Nora")
    answer = response.context["answer"]
    assert answer.cells == []
    assert answer.lane is not None
    assert answer.lane.ground.count("M") == 30
    assert answer.stays_left == 20
    assert page_of(response).count <= 1_000


def test_the_text_is_escaped(cast: Cast) -> None:
    turn = cast.post({"id": "e", "session": EVIL, "prompt": f"## {EVIL}\n{EVIL}\n"})
    for text in (EVIL, "\x00", "a" * 5_000):
        path = f"/p/harbour-desk/s/{turn.session.short_id}/presence/"
        check(cast.viewer.get(path, {"text": text}), path)


def test_a_text_with_covered_words_is_masked(cast: Cast, base: str) -> None:
    cast.post({"id": "p5", "session": "presence", "prompt": prompt("Berth 7 is free for [REDACTED]")})
    words = asked(cast, base, "Berth 7 is free for two nights")
    assert "Masked at turn 3 It entered at turn 2 and was last whole in turn 2." in words
    assert "20 of 30 characters can be read, and nobody can tell whether the rest is this." in words
    assert "masked: some of its words are covered" in words


def test_a_text_that_was_never_whole_is_told_as_cut(cast: Cast, base: str) -> None:
    words = asked(cast, base, "Berth 7 is free for two nights and a day")
    assert "Left" not in words
    cast.post({"id": "p5", "session": "presence", "prompt": prompt("Berth 7 is free for two…")})
    words = asked(cast, base, "Berth 7 is free for two nights and a day")
    assert "No prompt holds it whole. Turn 5 has 23 of its 40 characters." in words
