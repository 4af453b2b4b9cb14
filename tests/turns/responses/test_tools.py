"""Answers with native tool calls beside their text."""

from inspector.turns.responses import hear
from inspector.turns.turn import Contract, Message, NativeCall, Offer, Response, ResponseBody, Turn
from tests.turns.responses.reading import OBJECT, dialect

CONTRACT = Contract((Offer("forecast", None, OBJECT, "tools", None),))


def read(body: ResponseBody, finish_reason: str | None = None) -> Response:
    turn = Turn(messages=(Message("user", "go"),), response=body, finish_reason=finish_reason)
    found = hear(turn, CONTRACT, dialect("generic", None))
    assert found is not None
    return found.response


def test_native_calls_are_checked_and_have_no_place() -> None:
    calls = (
        NativeCall("a", "forecast", '{"city": "Oslo"}'),
        NativeCall("b", "forecast", '{"days": 1}'),
        NativeCall("c", "forecast", "{broken"),
        NativeCall("d", "launch", "{}"),
        NativeCall("e", "forecast", ""),
    )
    response = read(ResponseBody("Looking.", ("hm",), calls))
    assert response.syntax == "tools"
    assert [(call.id, call.status) for call in response.calls] == [
        ("a", "ok"),
        ("b", "invalid"),
        ("c", "unparsed"),
        ("d", "unknown"),
        ("e", "invalid"),
    ]
    assert response.calls[4].arguments == {}
    assert {(call.start, call.end, call.raw_start) for call in response.calls} == {(None, None, None)}
    assert [(span.text, span.start) for span in response.reasoning] == [("hm", None)]
    assert response.stray == ()


def test_words_without_calls_are_text() -> None:
    response = read(ResponseBody("It rains."))
    assert (response.syntax, response.complete, response.tokens) == ("text", True, 3)


def test_limit_on_tokens_makes_it_incomplete() -> None:
    assert not read(ResponseBody("It rains"), "length").complete


def test_no_response_is_none() -> None:
    assert hear(Turn(messages=(Message("user", "go"),)), CONTRACT, dialect("generic", None)) is None
