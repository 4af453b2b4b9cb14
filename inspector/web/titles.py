"""What messages and sections are called on the page."""

from collections.abc import Sequence

from inspector.turns.turn import Section, Turn


def titles(turn: Turn) -> list[str]:
    """Names of the messages of a lone prompt, with or without its prefill; empty for a conversation."""
    if len(turn.messages) == 1:
        return ["Prompt"]
    last = turn.messages[-1] if turn.messages else None
    if len(turn.messages) == 2 and last and last.role == "assistant" and turn.prefill == last.text:
        return ["Prompt", "Prefill"]
    return []


def trail(sections: Sequence[Section], index: int) -> str:
    """A section by the names of what it lies in: ``Context State › game:1``."""
    names = [sections[index].title]
    depth = sections[index].depth
    for section in reversed(sections[:index]):
        if section.depth < depth:
            names.append(section.title)
            depth = section.depth
        if depth == 0:
            break
    return " › ".join(name[:80] for name in reversed(names))
