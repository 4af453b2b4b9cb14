# ruff: noqa: E501 - posted bytes are shown as they are
"""What is covered, and that every offset stays true."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.sharing.cover import cover_reading, cover_turn, texts_of
from inspector.sharing.masking import MARK, MOST_KNOWN, Masker, masked
from inspector.turns.answer import turn_answer
from inspector.turns.payload import parse
from inspector.turns.read import read_turn
from inspector.turns.sections import digest
from inspector.turns.turn import ReadTurn, Turn
from inspector.turns.wires import read_payload

SECRETS = (
    "AKIAIOSFODNN7EXAMPLE",
    "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789",
    "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghij0123456789",
)
EMAIL = "ada.krol@example.org"


def payload(**fields: Any) -> Turn:
    return read_payload(parse(json.dumps(fields).encode()))


def covered(turn: Turn, mask: tuple[str, ...] = ("secrets", "emails")) -> ReadTurn:
    read = ReadTurn("t", 1, turn, read_turn(turn, id="t", seq=1))
    masker = Masker(mask, list(texts_of(read)))
    return ReadTurn("t", 1, cover_turn(turn, masker), cover_reading(turn, read.reading, masker))


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_covered_length_for_length(secret: str) -> None:
    text = f"Before {secret} after."
    assert masked(text, ["secrets"]) == f"Before {MARK * len(secret)} after."


def test_addresses_are_covered_only_when_asked() -> None:
    assert masked(f"Write to {EMAIL}.", ["emails"]) == f"Write to {MARK * len(EMAIL)}."
    assert masked(f"Write to {EMAIL}.", ["secrets"]) == f"Write to {EMAIL}."
    assert masked(f"Write to {EMAIL} or {SECRETS[0]}.", []) == f"Write to {EMAIL} or {SECRETS[0]}."


@given(st.text(), st.sampled_from(SECRETS), st.text())
def test_masking_keeps_every_other_character_and_the_length(before: str, secret: str, after: str) -> None:
    text = f"{before}\n{secret}\n{after}"
    shown = masked(text, ["secrets", "emails"])
    assert len(shown) == len(text)
    assert secret not in shown
    assert all(new in (old, MARK) for old, new in zip(text, shown, strict=True))


def test_lone_surrogates_are_no_hiding_place() -> None:
    assert masked(f"\ud83d {SECRETS[0]} \udc00", ["secrets"]) == f"\ud83d {MARK * 20} \udc00"


def test_nothing_of_a_secret_is_left_anywhere_in_turn_and_reading() -> None:
    secret = SECRETS[0]
    prompt = f'# Role {EMAIL}\nUse {secret}.\n\n<context key="{secret}">\nsecret: {secret}\n</context>\n'
    turn = payload(
        messages=[
            {"role": "system", "content": prompt},
            {"role": "user", "content": [{"type": "text", "text": secret}, {"type": "image_url", "image_url": {"url": secret}}]},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": secret, "type": "function", "function": {"name": secret, "arguments": f'{{"a": "{secret}"}}'}}],
            },
            {"role": "tool", "tool_call_id": secret, "content": f"{secret} {EMAIL}"},
            {"role": f"odd {secret}", "content": "odd"},
        ],
        response=f'<response><action_call name="go">{{"key": "{secret}", "x": ["{EMAIL}"]}}</action_call> {secret}</response>',
        results=[{"call": 0, "value": {"token": secret}, "error": secret}, {"call": secret, "name": secret, "value": 1}],
        metadata={secret: [secret, {"deep": EMAIL}]},
        tags={"k": secret},
        tools=[{"type": "function", "function": {"name": secret, "description": secret, "parameters": {"default": secret}}}],
        error={"type": secret, "message": secret},
        session=f"chat:{EMAIL}",
        agent=EMAIL,
        model=f"model {secret}",
        provider=f"provider {EMAIL}",
        finish_reason=secret,
        somewhere=secret,
    )  # fmt: skip
    shown = covered(turn)
    everything = json.dumps(turn_answer(shown.turn, shown.reading)) + repr(shown)
    assert secret not in everything
    assert EMAIL not in everything
    assert MARK * len(secret) in shown.turn.messages[0].text


def test_what_only_its_name_makes_a_secret_is_covered_beside_the_prompt_too() -> None:
    word = "hunter2Abcd9900"
    shown = covered(
        payload(
            prompt="You may act.",
            response="yes",
            metadata={"deep": [{"password": word}]},
            tags={"api_key": "k" + word},
            settings={"client_secret": "s" + word},
            results=[{"call": 0, "value": {"access_token": "t" + word}}],
        )
    )
    assert word not in json.dumps(turn_answer(shown.turn, shown.reading)) + repr(shown)
    assert "You may act." in repr(shown)


def test_sections_still_add_up_and_their_digests_tell_nothing() -> None:
    turn = payload(prompt=f"# One\nkey {SECRETS[0]}\n# Two\nplain\n")
    plain = read_turn(turn)
    shown = covered(turn)
    text = shown.turn.messages[0].text
    tiles = [section for section in shown.reading.sections if section.depth == 0]
    assert "".join(text[section.start : section.end] for section in tiles) == text
    for before, after in zip(plain.sections, shown.reading.sections, strict=True):
        assert (before.start, before.end) == (after.start, after.end)
        assert after.digest == digest(text[after.start : after.end])


def test_calls_show_the_covered_text_at_their_offsets() -> None:
    response = f'<response><action_call name="go">{{"key": "{SECRETS[0]}"}}</action_call></response>'
    shown = covered(payload(prompt="You may act.", response=response))
    assert shown.reading.response is not None
    for call in shown.reading.response.calls:
        assert call.raw_start is not None
        assert shown.reading.response.text[call.raw_start : call.raw_start + len(call.raw)] == call.raw
        assert call.arguments == {"key": MARK * 20}


def test_without_a_mask_nothing_changes() -> None:
    turn = payload(prompt=f"key {SECRETS[0]}", response="yes")
    shown = covered(turn, ())
    assert shown.turn == turn
    assert shown.reading == read_turn(turn, id="t", seq=1)


def test_more_secrets_than_can_be_looked_for_cover_everything_derived() -> None:
    keys = [f"AKIA{number:016d}".replace("0", "Z") for number in range(MOST_KNOWN + 50)]
    masker = Masker(["secrets"], [" ".join(keys)])
    assert masker.derived("anything") == MARK * 8


def test_deep_values_are_covered_without_recursion() -> None:
    value: Any = SECRETS[0]
    for _ in range(20_000):
        value = [value]
    shown = Masker(["secrets"], [SECRETS[0]]).value(value)
    while isinstance(shown, list):
        shown = shown.pop()
    assert shown == MARK * 20
    while isinstance(value, list):
        value = value.pop()


def test_two_keys_that_look_the_same_when_covered_both_stay() -> None:
    other = "AKIAIOSFODNN7EXAMPLF"
    shown = Masker(["secrets"], [SECRETS[0], other]).value({SECRETS[0]: 1, other: 2})
    assert sorted(shown.values()) == [1, 2]
