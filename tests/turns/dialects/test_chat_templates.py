"""Conversations rendered into one text."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.turns.dialects.chat_templates import MAX_PARTS, conversation


def told(text: str) -> list[tuple[str, str, str]]:
    """Title, kind and words of each message."""
    pieces = conversation(text, lambda role, words: ())
    assert not pieces or (pieces[0].start, pieces[-1].end) == (0, len(text))
    assert all(one.end == two.start for one, two in pairwise(pieces))
    return [(piece.title, piece.kind, text[piece.body_start : piece.body_end]) for piece in pieces]


@pytest.mark.parametrize(
    "text",
    [
        "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
        "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        "<bos><start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\n",
        "<|user|>\nHi<|end|>\n<|assistant|>\n",
        "<s><|user|>\nHi</s>\n<|assistant|>\n",
    ],
)
def test_marks_of_templates(text: str) -> None:
    assert told(text) == [("User message", "updates", "Hi"), ("Cue", "format", "")]


def test_older_prompts_for_completion() -> None:
    assert told("\n\nHuman: Hi\n\nAssistant:") == [
        ("User message", "updates", "Hi\n\n"),
        ("Cue", "format", ""),
    ]


def test_what_was_said_before_is_history_and_what_came_since_is_new() -> None:
    text = "system: Be kind.\nuser: a\nassistant: b\nuser: c\nassistant: d\ntool: e"
    assert [kind for _, kind, _ in told(text)] == [
        "instructions",
        "history",
        "history",
        "updates",
        "history",
        "updates",
    ]
    assert [kind for _, kind, _ in told("user: a\nassistant: b")] == ["updates", "history"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hi",
        "User: only I speak\nUser: and again",
        "See:\nUser: a\nAssistant: b",
        "Tool: hammer\nTool: saw",
        "Users: many\nAssistants: few",
        "User says: a\nAssistant says: b",
        "<|im_start|>user\nHi",
        "Say <|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
    ],
)
def test_other_texts_are_none(text: str) -> None:
    assert told(text) == []


def test_many_messages_are_told_apart_up_to_a_limit() -> None:
    pieces = conversation("User: a\nAI: b\n" * MAX_PARTS, lambda role, words: ())
    assert len(pieces) == MAX_PARTS


@given(
    st.lists(
        st.sampled_from(
            ["<|im_start|>", "<|im_end|>", "user\n", "assistant", "System: ", "\n", "User:", "a", "</s>"]
        ),
        max_size=20,
    ).map("".join)
)
def test_any_text_adds_up(text: str) -> None:
    told(text)
