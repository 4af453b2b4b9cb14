# ruff: noqa: E501 - what agents write has no line length
"""The coding assistant's prompt parts, rendered as LLM::Agent renders them."""

from collections.abc import Sequence
from typing import Any

IDENTITY = """You are a coding assistant in the repository of a kite simulator.
Make small changes that a person can review. Leave commits to people."""
ENVIRONMENT = """## Environment

- platform: linux (x86_64)
- os: debian 13
- date: 2026-08-21
- branch: main
- cwd: /srv/kite"""
AGENTS = """Run `prove6 -Ilib t/` before you propose a commit.

## Names

- Modules are nouns.
- No abbreviations in public subs."""
SUMMARY = """[Conversation summary — earlier turns compacted]
1. GOALS — find why t/04-gust.rakutest fails.
2. DECISIONS — the gust was added twice; it was taken out of `lift`.
3. FILES AND COMMANDS — t/04-gust.rakutest read; lib/Kite/Wind.rakumod read.
4. UNRESOLVED — which branch holds the new wind model."""


def system_prompt(tools: Sequence[dict[str, Any]]) -> str:
    """Identity, environment, tools and instruction files, a blank line between them."""
    return "\n\n".join(
        [IDENTITY, ENVIRONMENT, "## Tools", *map(_documented, tools), f"## AGENTS.md\n\n{AGENTS}"]
    )


def context(date: str, head: str, instructions: str) -> dict[str, Any]:
    """The refreshable block that stands last in a request."""
    text = (
        f"## Current context\n\n- platform: linux (x86_64)\n- date: {date}\n- cwd: /srv/kite\n- git-head: {head}\n\n"
        f"{instructions}\n\n"
        "This block supersedes any environment description, tool catalogue or project instructions that appear"
        " earlier in this conversation; where they disagree, this block is authoritative.\n"
        "This block is context, not a request: do not acknowledge it, and do not reply to it."
    )
    return {"role": "system", "content": text}


def _documented(tool: dict[str, Any]) -> str:
    function = tool["function"]
    schema = function["parameters"]
    required = schema["required"]
    names = [*required, *sorted(name for name in schema["properties"] if name not in required)]
    lines = [_parameter(name, schema["properties"][name], name in required) for name in names]
    body = "Parameters:\n" + "\n".join(lines) if lines else "Takes no arguments."
    return f"### {function['name']}\n{function['description']}\n\n{body}"


def _parameter(name: str, schema: dict[str, Any], required: bool) -> str:
    about = f" - {schema['description']}" if "description" in schema else ""
    return f"- {name} ({schema['type']}{', required' if required else ''}){about}"
