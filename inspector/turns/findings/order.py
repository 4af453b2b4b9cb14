"""Rules on the order of a prompt's messages: calls, their results, and who speaks when."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator

from inspector.turns.findings.dialogue import Answer, Asked, carries_results, dialogue, dialogue_before
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Finding, Severity

_ELSEWHERE = "provider kept earlier messages"
"""What a wire notes when the conversation lies with the provider."""
_SERVERS = ("srvtoolu_", "mcptoolu_", "mcp_", "ws_", "fs_", "ci_", "tsc_", "ig_")
"""What the ids of calls begin with that the provider itself carries out."""
_NOTE = ("[system", "[system:", "<system>", "system:")


def _orphans(context: Context) -> Iterator[Finding]:
    if any(_ELSEWHERE in note for note in context.turn.notes):
        return
    calls, answers = dialogue(context).calls, dialogue(context).answers
    if _goes_on_elsewhere(context):
        return
    asked = {call.call.id for call in calls}
    for answer in answers:
        if answer.id is None or answer.id in asked:
            continue
        yield ORPHAN_RESULT.finding(
            f"This result answers the call {shown(answer.id)}, but no message of the prompt makes that call.",
            context.in_prompt(answer.message, answer.start, answer.end),
            _where_it_was(context, answer.id)
            or "Keep a call and its results together when messages are dropped.",
            {"call": answer.id, "calls": len(calls), "results": len(answers)},
            _refused(context),
        )


def _goes_on_elsewhere(context: Context) -> bool:
    """Only results of the calls that the turn before asked for: the provider keeps the rest."""
    said = context.previous.turn.response if context.previous else None
    if said is None or any(message.role == "assistant" for message in context.turn.messages):
        return False
    ids = {call.id for call in said.calls}
    answers = dialogue(context).answers
    return bool(answers) and all(answer.id in ids for answer in answers)


def _where_it_was(context: Context, identity: str) -> str | None:
    previous = context.previous
    if previous is None:
        return None
    if any(call.call.id == identity for call in dialogue_before(context).calls):
        return (
            f"Turn {previous.seq} still had the message that makes it; it was dropped and its result was not."
        )
    said = previous.turn.response
    if said is not None and any(call.id == identity for call in said.calls):
        return f"The answer of turn {previous.seq} makes it; that answer was not put into the prompt."
    return None


def _refused(context: Context) -> Severity | None:
    """Providers refuse such prompts: where this one did, the turn cannot have worked."""
    return "error" if context.turn.error is not None else None


def _unanswered(context: Context) -> Iterator[Finding]:
    calls, answers = dialogue(context).calls, dialogue(context).answers
    if not calls or any(answer.id is None for answer in answers):
        return
    answered = {answer.id for answer in answers}
    last = len(context.turn.messages) - 1
    for asked in calls:
        if asked.call.id is None or asked.call.id in answered or asked.message == last:
            continue
        if asked.call.id.startswith(_SERVERS):
            continue
        text = context.turn.messages[asked.message].text
        yield CALL_WITHOUT_RESULT.finding(
            f"{shown(asked.call.name)} is called here ({shown(asked.call.id)}) and no message of the "
            "prompt says "
            "what came of it.",
            context.in_prompt(asked.message, 0, len(text)),
            "Expected a result for each call before the conversation goes on; most providers refuse it "
            "otherwise.",
            {"call": asked.call.id, "name": asked.call.name},
            _refused(context),
        )


def _order(context: Context) -> Iterator[Finding]:
    yield from _starts_with_result(context)
    yield from _apart(context)
    yield from _posing(context)


def _starts_with_result(context: Context) -> Iterator[Finding]:
    messages = context.turn.messages
    first = next(
        (index for index, message in enumerate(messages) if message.role not in ("system", "developer")), None
    )
    if (
        first is None
        or _goes_on_elsewhere(context)
        or not carries_results(messages[first])
        or any(_ELSEWHERE in n for n in context.turn.notes)
    ):
        return
    yield ROLE_ORDER.finding(
        "The conversation starts with a result.",
        context.in_prompt(first, 0, len(messages[first].text)),
        "Expected a message of the user first, then a call, then its result. A window that keeps the last so "
        "many messages may begin in the middle of a pair.",
        {"role": messages[first].role},
        _refused(context),
    )


def _apart(context: Context) -> Iterator[Finding]:
    """Results that don't follow their call directly, or stand before it."""
    times = Counter(asked.call.id for asked in dialogue(context).calls)
    made = {asked.call.id: asked for asked in dialogue(context).calls if times[asked.call.id] == 1}
    messages = enumerate(context.turn.messages)
    spoken = [index for index, message in messages if message.role == "user" and not carries_results(message)]
    told: set[int] = set()
    found: dict[bool, list[tuple[str, Asked, Answer]]] = {}
    for answer in dialogue(context).answers:
        asked = made.get(answer.id) if answer.id is not None else None
        if asked is None or asked.message in told:
            continue
        problem = _problem(spoken, asked, answer)
        if problem:
            told.add(asked.message)
            found.setdefault(answer.message < asked.message, []).append((problem, asked, answer))
    for alike in found.values():
        yield _told_apart(context, alike)


def _told_apart(context: Context, alike: list[tuple[str, Asked, Answer]]) -> Finding:
    """The first of results that are out of place in the same way, and how many more there are."""
    problem, asked, answer = alike[0]
    others = len(alike) - 1
    more = f" So it is with {others} more result{'s' if others > 1 else ''}." if others else ""
    return ROLE_ORDER.finding(
        f"{problem}{more}",
        context.in_prompt(answer.message, answer.start, answer.end),
        _swapped(context, answer),
        {
            "call": answer.id,
            "call_message": asked.message,
            "result_message": answer.message,
            "count": len(alike),
        },
        _refused(context),
    )


def _problem(spoken: list[int], asked: Asked, answer: Answer) -> str:
    if answer.message < asked.message:
        return f"The result of {shown(asked.call.name)} stands before the call."
    if bisect_right(spoken, asked.message) < bisect_left(spoken, answer.message):
        return (
            f"A message of the user stands between the call of {shown(asked.call.name)} and its "
            "result; expected the result directly after the call."
        )
    return ""


def _swapped(context: Context, answer: Answer) -> str:
    previous = context.previous
    if previous is not None:
        for before in dialogue_before(context).answers:
            if before.id == answer.id and before.message != answer.message:
                return (
                    f"In turn {previous.seq} it stood in its place, as message {before.message + 1}; "
                    f"now it is message {answer.message + 1}."
                )
    return "Providers refuse it or read it as two separate things."


def _posing(context: Context) -> Iterator[Finding]:
    """A program's note that is sent as a user's message, next to a message of the user."""
    messages = context.turn.messages
    for index in range(1, len(messages)):
        note, other = messages[index - 1], messages[index]
        if note.role == other.role == "user" and note.text[:9].lower().lstrip().startswith(_NOTE):
            yield ROLE_ORDER.finding(
                f"A note of the program is sent as a message of the user: {shown(note.text)}. Two "
                "messages of the "
                "user follow each other.",
                context.in_prompt(index - 1, 0, len(note.text)),
                "Expected the roles to take turns; send such a note as a system message or inside the "
                "user's own.",
                {"messages": [index - 1, index]},
                "info",
            )
            return


ORPHAN_RESULT = Rule(
    "orphan-result",
    "warning",
    "A result without its call",
    "The prompt holds what came of a call, and the message that makes the call is not there. It usually "
    "happens when old messages are dropped one by one instead of in pairs. Most providers refuse such a "
    "prompt; "
    "where this one did, it is an error.\n\n"
    "What to do: drop a call and its results together.",
    _orphans,
)
CALL_WITHOUT_RESULT = Rule(
    "call-without-result",
    "warning",
    "A call that nothing came of",
    "A message of the prompt makes a call, the conversation goes on, and nothing says what came of the call. "
    "The model may call again or make a result up; most providers refuse such a prompt. A call in the last "
    "message is left alone.\n\n"
    "What to do: put in the result, or one that says that the call was interrupted.",
    _unanswered,
)
ROLE_ORDER = Rule(
    "role-order",
    "warning",
    "Messages in an order that breaks the conversation",
    "The conversation starts with a result, a result does not directly follow its call, or a program's note "
    "poses as a user's message. Two messages of one role in a row are not told by themselves: many "
    "frameworks "
    "send them.\n\n"
    "What to do: keep results directly behind their calls and begin a window with a message of the user.",
    _order,
)

RULES = (ORPHAN_RESULT, CALL_WITHOUT_RESULT, ROLE_ORDER)
