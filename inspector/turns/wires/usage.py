"""Token counts of any provider under our own names."""

from collections.abc import Mapping
from typing import Any

from inspector.turns.turn import Usage

INPUT = (
    "input_tokens",
    "prompt_tokens",
    "inputTokens",
    "promptTokens",
    "promptTokenCount",
    "prompt_token_count",
    "prompt_eval_count",
    "total_input_tokens",
)
OUTPUT = (
    *("output_tokens", "completion_tokens", "outputTokens", "completionTokens", "candidatesTokenCount"),
    *("candidates_token_count", "responseTokenCount", "eval_count", "generation_token_count"),
    "total_output_tokens",
)
READ = (
    *("cache_read_tokens", "cache_read_input_tokens", "cacheReadInputTokens", "cachedInputTokens"),
    *("cachedContentTokenCount", "cached_content_token_count", "prompt_cache_hit_tokens", "cache_read"),
    *("cached_tokens", "total_cached_tokens"),
)
WRITE = ("cache_write_tokens", "cache_creation_input_tokens", "cacheWriteInputTokens", "cache_creation")
REASONING = (
    *("reasoning_tokens", "reasoningTokens", "thoughtsTokenCount", "thoughts_token_count"),
    "total_thought_tokens",
)
DETAILS = {
    "read": (
        ("prompt_tokens_details", "cached_tokens"),
        ("input_tokens_details", "cached_tokens"),
        ("inputTokenDetails", "cacheReadTokens"),
    ),
    "write": (
        ("prompt_tokens_details", "cache_write_tokens"),
        ("input_tokens_details", "cache_write_tokens"),
    ),
    "reasoning": (
        ("completion_tokens_details", "reasoning_tokens"),
        ("output_tokens_details", "reasoning_tokens"),
    ),
}
BESIDE = (
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "cacheReadInputTokens",
    "cacheWriteInputTokens",
)
"""Anthropic and Bedrock count cached tokens beside the input, not inside it."""


def usage_of(value: Any) -> Usage | None:
    """Usage from a provider's usage object or our own; None when it holds no count we know."""
    if not isinstance(value, Mapping):
        return None
    given = _count(value, INPUT)
    beside = 0
    if given is not None and not ("prompt_tokens" in value or "total_tokens" in value):
        beside = sum(_whole(value.get(name)) or 0 for name in BESIDE)
    usage = Usage(
        input_tokens=None if given is None else given + beside,
        output_tokens=_output(value),
        cache_read_tokens=_count(value, READ, "read"),
        cache_write_tokens=_count(value, WRITE, "write"),
        reasoning_tokens=_count(value, REASONING, "reasoning"),
    )
    return None if usage == Usage() else usage


def usage_with(first: Usage | None, second: Usage | None) -> Usage | None:
    """The first where it has a count, else the second."""
    if first is None or second is None:
        return first or second
    names = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens")
    counts = {
        name: getattr(second, name) if getattr(first, name) is None else getattr(first, name)
        for name in names
    }
    return Usage(**counts)


def _output(value: Mapping[str, Any]) -> int | None:
    output = _count(value, OUTPUT)
    thoughts = _whole(value.get("thoughtsTokenCount"))
    return output if output is None or thoughts is None else output + thoughts


def _count(value: Mapping[str, Any], names: tuple[str, ...], details: str | None = None) -> int | None:
    for name in names:
        if (count := _whole(value.get(name))) is not None:
            return count
    for outer, name in DETAILS.get(details or "", ()):
        inner = value.get(outer)
        if isinstance(inner, Mapping) and (count := _whole(inner.get(name))) is not None:
            return count
    return None


def _whole(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**53:
        return None
    return int(value) if value == int(value) else None
