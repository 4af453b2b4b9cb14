"""Where and why a shared prefix ends, as a person would say it."""

from collections.abc import Sequence

from inspector.turns.turn import Break, ReadTurn, Tool

CAUSES = {
    "clock": "a clock changed",
    "date": "a date changed",
    "id": "an id changed",
    "counter": "a counter changed",
    "insertion": "text was inserted",
    "removal": "text was removed",
    "reorder": "sections changed places",
    "whitespace": "only whitespace differs",
    "tool-list": "the list of tools changed",
    "model": "another model was asked",
    "append": "text was added at the end of a message",
    "edit": "the text was edited",
}
NAMED = 3
"""Tools that are named."""


def cause_words(broken: Break | None) -> str:
    """Why it ends; empty where it does not."""
    return CAUSES.get(broken.cause, broken.cause) if broken else ""


def cause_between(broken: Break | None, old: ReadTurn, new: ReadTurn) -> str:
    """The same with both turns at hand: what became of the tools."""
    if broken is not None and broken.cause == "tool-list":
        return tools_words(old.turn.tools, new.turn.tools)
    return cause_words(broken)


def tools_words(olds: Sequence[Tool], news: Sequence[Tool]) -> str:
    """``the tools changed: added search; removed read, write``."""
    before, after = {tool.name: tool for tool in olds}, {tool.name: tool for tool in news}
    if before == after and len(olds) == len(news):
        return "the same tools stand in another order"
    groups = (
        ("added", [name for name in after if name not in before]),
        ("removed", [name for name in before if name not in after]),
        ("changed", [name for name in after if name in before and after[name] != before[name]]),
    )
    told = "; ".join(f"{word} {_few(names)}" for word, names in groups if names)
    return f"the tools changed: {told}" if told else "the list of tools changed"


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(name[:60] for name in names[:NAMED])
    return f"{shown} and {len(names) - NAMED} more" if len(names) > NAMED else shown


def unbroken_words(old: ReadTurn, new: ReadTurn) -> str:
    """What a prefix that does not end means."""
    if new.reading.chars < old.reading.chars:
        return "The newer prompt is the beginning of the older one: all of it can be reused."
    return "The older prompt is wholly shared: nothing of it is billed again."
