"""Where a request asks its provider to keep the prompt in its cache.

Anthropic marks a block, a message, a tool or the whole request with ``cache_control``; gateways carry the
same field through Chat Completions; Bedrock Converse puts a ``cachePoint`` behind what is to be kept.
"""

from collections.abc import Mapping
from typing import Any

NAMES = ("cache_control", "cacheControl")
POINTS = ("cachePoint", "cache_point")
OPTIONS = ("providerOptions", "provider_options", "experimental_providerMetadata")
"""Where the AI SDK keeps what is meant for one provider."""


def lifetime_of(item: Mapping[str, Any]) -> str | None:
    """How long the prompt up to this item is to be kept (``5m``, ``1h``); empty when not said.

    None when the item sets no breakpoint.
    """
    if any(isinstance(item.get(name), Mapping) for name in POINTS):
        return ""
    for name in NAMES:
        control = item.get(name)
        if isinstance(control, Mapping):
            return _lifetime(control)
    for name in OPTIONS:
        options = item.get(name)
        anthropic = options.get("anthropic") if isinstance(options, Mapping) else None
        if isinstance(anthropic, Mapping):
            return lifetime_of(anthropic)
    return None


def is_point(block: Mapping[str, Any]) -> bool:
    """The block is a breakpoint and nothing else."""
    return any(name in block for name in POINTS)


def without_control(block: Mapping[str, Any]) -> Mapping[str, Any]:
    """The block as the model sees it: moving a breakpoint changes nothing of the prompt."""
    return {name: value for name, value in block.items() if name not in NAMES}


def _lifetime(control: Mapping[str, Any]) -> str:
    kept = control.get("ttl")
    return kept if isinstance(kept, str) and len(kept) <= 16 else ""
