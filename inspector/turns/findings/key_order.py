"""The rule on JSON that is the same as before but for the order of its keys."""

from collections.abc import Iterator

from inspector.turns.findings.cache import WORTH
from inspector.turns.findings.dialogue import course
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Break, Finding, Place
from inspector.turns.wires.messages import MEMBERS

CAUSE = "key-order"


def _key_order(context: Context) -> Iterator[Finding]:
    broken = context.since.prefix.broken_at if context.since else None
    if broken is not None and broken.cause == CAUSE:
        yield _in_prefix(context, broken)
    yield from _in_answer(context)


def _in_prefix(context: Context, broken: Break) -> Finding:
    cost = context.since.prefix.rebilled_tokens if context.since else 0
    if broken.message is None:
        name = broken.new.partition(":")[0].partition(".")[0]
        what, where = f"The schema of the tool {shown(name)} is", Place("turn")
    else:
        start = _offset(context, broken.message, broken)
        end = start + len(broken.new)
        what, where = "This JSON is", context.in_prompt(broken.message, start, end)
    return KEY_ORDER.finding(
        f"{what} the same as in the turn before, with its keys in another order: there {shown(broken.old)}, "
        f"here {shown(broken.new)}. About {cost} tokens from here on are paid for again.",
        where,
        "A provider's cache compares bytes. Sort the keys when you write JSON; maps of some languages have "
        "another order in each process.",
        {"before": broken.old, "after": broken.new, "rebilled": cost},
        "warning" if cost >= WORTH else None,
    )


def _offset(context: Context, message: int, broken: Break) -> int:
    """Where the difference stands in its message."""
    text, start = context.turn.messages[message].text, 0
    for _ in range(broken.line - context.lines.firsts[message]):
        start = text.index("\n", start) + 1
    return start + broken.column - 1


def _in_answer(context: Context) -> Iterator[Finding]:
    """The answer of the turn before, sent back in another order, where the provider then refused the turn."""
    going = course(context) if context.turn.error is not None else None
    if going is None or going.echo is None or going.old.turn.response is None:
        return
    went = context.turn.messages[going.echo].members or MEMBERS
    came = tuple(name for name in going.old.turn.response.members or MEMBERS if name in went)
    if came == went:
        return
    text = context.turn.messages[going.echo].text
    yield KEY_ORDER.finding(
        f"The answer of turn {going.old.seq} stands here as message {going.echo + 1} with its members in "
        f"another order: it came as {', '.join(came)}, here it is {', '.join(went)}. As JSON the two are "
        "equal.",
        context.in_prompt(going.echo, 0, len(text)),
        "The provider refused this turn. Some gateways take only the order they know: send the message back "
        "as it came.",
        {"message": going.echo, "before": list(came), "after": list(went)},
    )


KEY_ORDER = Rule(
    "key-order-changed",
    "info",
    "The same JSON with its keys in another order",
    "A tool's schema or JSON in the text differs from the turn before in nothing but the order of keys, or a "
    "provider refused a turn that gives an answer back with its members in another order. To a program it is "
    f"equal; a prompt cache compares bytes. From {WORTH} tokens that are paid for again it is a warning.\n\n"
    "What to do: write JSON with sorted keys, or keep the text that you sent before.",
    _key_order,
)

RULES = (KEY_ORDER,)
