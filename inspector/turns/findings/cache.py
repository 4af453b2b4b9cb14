"""Rules on what breaks a provider's prompt cache: values that change every turn, and lists of tools."""

import json
from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set

from inspector.turns.findings.dialogue import course
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.tokens import count
from inspector.turns.turn import Break, Finding, Place, Prefix, Section, Tool, Turn
from inspector.turns.volatile import values_in

_CAUSES = {"clock": "a clock", "date": "a date", "id": "an id", "counter": "a counter"}
WORTH = 1_000
"""Tokens paid for again that make it a warning: providers cache from about 1,024 on."""


def _volatile(context: Context) -> Iterator[Finding]:
    broken = context.since.prefix.broken_at if context.since else None
    previous = context.previous
    if context.since is None or previous is None or broken is None or broken.cause not in _CAUSES:
        return
    prefix = context.since.prefix
    moved = prefix.if_moved.shared_tokens - prefix.shared_tokens if prefix.if_moved else 0
    cost = max(moved, prefix.rebilled_tokens)
    if broken.message is None or not (moved or broken.message < len(previous.turn.messages) - 1):
        return
    old = previous.turn.messages[broken.message].text
    where, was, value = _values(context, broken, old)
    times = _times(context, broken)
    again = f" (in {times} turns in a row)" if times > 1 else ""
    yield VOLATILE_PREFIX.finding(
        f"{_CAUSES[broken.cause].capitalize()}{_home(context, where)} changes{again} and stands before text "
        f"that does not: was {shown(was)}, is {shown(value)}{_alone(context, where, was, value, old)}. "
        f"About {cost} tokens after it are paid for again{_cached(prefix)}.",
        where,
        "Move it behind everything that stays the same, best into the last message of the "
        f"user{_saving(moved)}.",
        {
            "cause": broken.cause,
            "tokens": cost,
            "shared_tokens": prefix.shared_tokens,
            "cached_tokens": prefix.reported_cached_tokens,
            "turns": times,
        },
        None if cost >= WORTH else "info",
    )


def _home(context: Context, where: Place) -> str:
    """The section that holds the value, and whether it stands in its opening tag."""
    section = context.section_at(where.message or 0, where.start or 0)
    if section is None:
        return ""
    is_in_tag = section.syntax == "tag" and (where.start or 0) < section.body_start
    return f" in {'the opening tag of ' if is_in_tag else ''}{shown(section.title)}"


def _alone(context: Context, where: Place, was: str, value: str, old: str) -> str:
    """Whether the value is all that differs in its message."""
    text, start = context.turn.messages[where.message or 0].text, where.start or 0
    same = old[start + len(was) :] == text[start + len(value) :]
    return "; nothing else of this message differs" if same else ""


def _cached(prefix: Prefix) -> str:
    reported = prefix.reported_cached_tokens
    return "" if reported is None else f"; the provider read {reported} tokens from its cache"


def _saving(moved: int) -> str:
    return f": {moved} more tokens could come from the cache" if moved else ""


def _values(context: Context, broken: Break, old: str) -> tuple[Place, str, str]:
    """The place of the whole value that holds the first difference, what it was and what it is."""
    message = broken.message or 0
    text = context.turn.messages[message].text
    start = _line_start(context, message, broken.line)
    at = start + broken.column - 1
    now, before = _whole(text, start, at), _whole(old, start, at)
    if now is None or before is None:
        return context.in_prompt(message, at, at + len(broken.new)), broken.old, broken.new
    return context.in_prompt(message, *now), old[slice(*before)], text[slice(*now)]


def _whole(text: str, start: int, at: int) -> tuple[int, int] | None:
    """The span of the value over a place of a line."""
    begin = max(at - 200, start)
    for value in values_in(text[begin : at + 200].partition("\n")[0] if begin < at else text[at : at + 200]):
        if begin + value.start <= at < begin + value.end:
            return begin + value.start, begin + value.end
    return None


def _line_start(context: Context, message: int, line: int) -> int:
    """Offset of a line of the prompt in its message."""
    text = context.turn.messages[message].text
    start = 0
    for _ in range(line - context.lines.firsts[message]):
        start = text.index("\n", start) + 1
    return start


def _times(context: Context, broken: Break) -> int:
    """How many turns in a row broke here for such a reason."""
    times = 1
    for read in reversed(context.earlier):
        since = read.reading.since_previous
        before = since.prefix.broken_at if since else None
        if before is None or before.section != broken.section or before.cause not in _CAUSES:
            break
        times += 1
    return times


# ---------------------------------------------------------------- tools


def _reordered(context: Context) -> Iterator[Finding]:
    previous = context.previous
    if previous is None:
        return
    olds = [tool.name for tool in previous.turn.tools]
    news = [tool.name for tool in context.turn.tools]
    if olds and news:
        yield from _told_order(context, olds, news, Place("turn"), previous.turn.tools)
        return
    documented = [offer for offer in context.contract.actions if offer.source != "tools"]
    before = [offer.name for offer in previous.reading.contract.actions if offer.source != "tools"]
    after = [offer.name for offer in documented]
    if documented and before != after and sorted(before) == sorted(after):
        source = documented[0].source
        place = (
            Place("prompt")
            if source == "tools"
            else context.in_prompt(source.message, source.start, source.end)
        )
        yield from _told_order(context, before, after, place, ())


def _told_order(
    context: Context, olds: Sequence[str], news: Sequence[str], where: Place, tools: Sequence[Tool]
) -> Iterator[Finding]:
    if olds == news or len(set(news)) != len(news):
        return
    at = {name: index for index, name in enumerate(olds)}
    common = [name for name in news if name in at]
    moved = _moved([at[name] for name in common])
    if not moved:
        return
    names = [common[index] for index in moved]
    groups = {name.partition("__")[0] for name in names if "__" in name}
    who = (
        f"the tools of {shown(groups.pop())}"
        if len(groups) == 1 and all("__" in n for n in names)
        else ", ".join(shown(name) for name in names[:5])
    )
    same = _canonical(tools) == _canonical(context.turn.tools) if tools else None
    rest = "; the tools themselves are the same" if same else ""
    since = context.since.prefix.rebilled_tokens if context.since else 0
    yield TOOL_ORDER_CHANGED.finding(
        f"The tools are offered in another order than in the turn before: {who} moved{rest}.",
        where,
        f"Tools stand before all else, so nothing after them comes from the cache ({since} tokens of text "
        "are "
        "paid for again). Sort them by name before sending.",
        {"moved": names[:50], "before": list(olds[:200]), "after": list(news[:200]), "same_set": same},
    )


def _moved(places: Sequence[int]) -> list[int]:
    """Indexes of the fewest items that left the order: those outside the longest ascending run."""
    tails: list[int] = []
    last: list[int] = []
    links: list[int] = []
    for index, place in enumerate(places):
        at = bisect_left(tails, place)
        links.append(last[at - 1] if at else -1)
        tails[at : at + 1] = [place]
        last[at : at + 1] = [index]
    keep = set()
    index = last[-1] if last else -1
    while index >= 0:
        keep.add(index)
        index = links[index]
    return [index for index in range(len(places)) if index not in keep]


def _canonical(tools: Sequence[Tool]) -> list[str]:
    return sorted(_as_text(tool) for tool in tools)


def _as_text(tool: Tool) -> str:
    return json.dumps(
        [tool.name, tool.description, tool.schema], sort_keys=True, ensure_ascii=False, default=str
    )


def _tools_changed(context: Context) -> Iterator[Finding]:
    previous = context.previous
    if previous is None or context.since is None:
        return
    olds, news = previous.turn.tools, context.turn.tools
    going = course(context)
    if olds and news and olds != news and going is not None and (going.goes_on or going.begins_alike):
        yield from _told_native(context, olds, news)
    if "actions" in context.since.changed_kinds:
        yield from _told_section(context)


def _told_native(context: Context, olds: Sequence[Tool], news: Sequence[Tool]) -> Iterator[Finding]:
    before, after = {tool.name: tool for tool in olds}, {tool.name: tool for tool in news}
    added = [name for name in after if name not in before]
    removed = [name for name in before if name not in after]
    altered = [name for name in after if name in before and after[name] != before[name]]
    if not (added or removed or altered) or context.since is None:
        return
    size = count("".join(_as_text(after[name]) for name in (*added, *altered)))
    parts = [
        f"{word} {', '.join(shown(name) for name in names[:5])}"
        for word, names in (("added", added), ("removed", removed), ("changed", altered))
        if names
    ]
    declared = f" (about {size} tokens of new declarations)" if size else ""
    cost = context.since.prefix.rebilled_tokens
    seq = context.previous.seq if context.previous else 0
    yield TOOLS_CHANGED.finding(
        f"The tools differ from those of turn {seq}: {'; '.join(parts)}{declared}.",
        Place("turn"),
        f"Tools stand before all else: {cost} tokens of text that the provider could have known are paid "
        "for again. "
        "Offer the same tools through a session, or change them when a new one begins.",
        {
            "added": added[:50],
            "removed": removed[:50],
            "changed": altered[:50],
            "tokens": size,
            "rebilled": cost,
        },
        "warning" if cost >= WORTH else None,
    )


def _told_section(context: Context) -> Iterator[Finding]:
    """A section that lists tools was rewritten in place, before other text that stayed."""
    since, previous = context.since, context.previous
    if since is None or previous is None or since.prefix.broken_at is None:
        return
    changed = set(since.changed_paths)
    old = {section.path: section for section in previous.reading.sections}
    for section in context.sections:
        before = old.get(section.path)
        if (
            section.kind != "actions"
            or section.path not in changed
            or before is None
            or before.digest == section.digest
        ):
            continue
        if since.prefix.broken_at.section != section.path:
            continue
        yield TOOLS_CHANGED.finding(
            f"What {shown(section.title)} says of tools was rewritten since turn {previous.seq} "
            f"({section.tokens - before.tokens:+d} tokens){_more_told(context, section, changed)}"
            f"{_natively(previous.turn, context.turn)}.",
            context.in_prompt(section.message, section.start, section.end),
            f"{since.prefix.rebilled_tokens} tokens from here on are paid for again. Add to the end of the "
            "conversation what became available instead of changing the beginning.",
            {
                "section": section.path,
                "tokens": section.tokens - before.tokens,
                "rebilled": since.prefix.rebilled_tokens,
            },
        )
        return


def _more_told(context: Context, section: Section, changed: Set[str]) -> str:
    """How many other sections on tools changed; those that hold the first one are not other ones."""
    others = sum(
        each.kind == "actions"
        and each.path in changed
        and each.path != section.path
        and not section.path.startswith(f"{each.path}/")
        for each in context.sections
    )
    return f", and what {others} {'other says' if others == 1 else 'others say'}" if others else ""


def _natively(old: Turn, new: Turn) -> str:
    """What became of the tools beside the messages; a lone text has none."""
    if not old.tools and not new.tools and len(new.messages) == 1:
        return ""
    how = "did not change" if old.tools == new.tools else "changed, too"
    return f"; the tools that are declared natively {how}"


VOLATILE_PREFIX = Rule(
    "volatile-prefix",
    "warning",
    "A value that changes every turn stands before text that does not",
    "A provider's prompt cache holds from the first token to the first difference. A clock, date, id or "
    "counter "
    "near the beginning ends it there: all that follows is paid for again each turn, though it is the same. "
    f"From {WORTH} tokens on it is a warning.\n\n"
    "What to do: move the value to the end, best into the last message of the user, or make it coarser (a "
    "day "
    "instead of a second).",
    _volatile,
)
TOOL_ORDER_CHANGED = Rule(
    "tool-order-changed",
    "warning",
    "The same tools in another order",
    "Tools that both turns offer stand in another order. Nothing changes for the model, but providers put "
    "tools "
    "before everything else, so that the whole prompt is paid for again.\n\n"
    "What to do: sort tools by name; servers that reconnect and lists in pages come in any order.",
    _reordered,
)
TOOLS_CHANGED = Rule(
    "tools-changed",
    "info",
    "Other tools than in the turn before",
    "Tools were added, removed or changed in the middle of a session, natively or in a section that lists "
    "them "
    "before the conversation. The provider's cache is lost, and past calls may be of tools that are not "
    "there any "
    "more.\n\n"
    "What to do: offer the same tools through a session, or tell of new ones at the end of the conversation.",
    _tools_changed,
)

RULES = (VOLATILE_PREFIX, TOOL_ORDER_CHANGED, TOOLS_CHANGED)
