"""Token counts of any provider."""

from typing import Any

import pytest

from inspector.turns.turn import Usage
from inspector.turns.wires.usage import usage_of, usage_with


@pytest.mark.parametrize(
    ("given", "usage"),
    [
        ({"input_tokens": 9, "output_tokens": 2, "cache_read_tokens": 4}, Usage(9, 2, 4)),
        (
            {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}},
            Usage(9, 2, 4),
        ),
        (
            {"input_tokens": 9, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 1},
            Usage(14, None, 4, 1),
        ),
        ({"prompt_tokens": 14, "cache_read_input_tokens": 4}, Usage(14, None, 4)),
        ({"inputTokens": 9, "outputTokens": 2, "cacheReadInputTokens": 4}, Usage(13, 2, 4)),
        (
            {"promptTokenCount": 9, "candidatesTokenCount": 2, "thoughtsTokenCount": 3},
            Usage(9, 5, reasoning_tokens=3),
        ),
        ({"input_tokens": 9, "output_tokens_details": {"reasoning_tokens": 3}}, Usage(9, reasoning_tokens=3)),
        ({"prompt_eval_count": 9, "eval_count": 2}, Usage(9, 2)),
        ({"input_tokens": 0}, Usage(0)),
        ({"input_tokens": 9.0}, Usage(9)),
        ({"input_tokens": -1, "output_tokens": 1.5, "cached_tokens": True}, None),
        ({"input_tokens": 2**64, "output_tokens": "9"}, None),
        ({}, None),
        ([], None),
        ("9", None),
    ],
)
def test_usage(given: Any, usage: Any) -> None:
    assert usage_of(given) == usage


def test_the_agents_own_counts_come_before_the_providers() -> None:
    assert usage_with(Usage(1, None), Usage(5, 6)) == Usage(1, 6)
    assert usage_with(None, Usage(5)) == Usage(5)
    assert usage_with(Usage(1), None) == Usage(1)
