"""Which call a result belongs to: by its id where calls have one, else by name and order.

Daydreams prints no ids in a response. It gives each call a UUIDv7 when it reads the opening tag and shows
``<action_result callId name>`` in later prompts, so ids in ascending order are the order of the calls, and
results whose id the prompt before already showed are old. Calls that could not be read get no result.
ReAct and AutoGPT write results back as text: ``Observation: …``, ``Command look_up returned: …``. Agents that
run commands or calls written into the text answer them with the next message, OpenHands with a log in JSON.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from inspector.turns.lines import Lines
from inspector.turns.logged import Logged, last_logged
from inspector.turns.references import valued
from inspector.turns.shown import Shown, observed, replied, sections_at, shown_in
from inspector.turns.turn import Call, Reading, ReadTurn, Response, Result, Turn

MAX_SHOWN = 3
"""Daydreams shows only the last three results: with as many, the earlier calls' ones were never seen."""
LOGGED_MAX = 20
"""Calls that the last action of a log is held against."""


@dataclass(frozen=True, slots=True)
class ResultLink:
    """What came of one call of one turn."""

    turn_id: str
    """Id of the turn whose response makes the call; empty for the posted results of a turn without id."""
    call_index: int
    result: Result


@dataclass(frozen=True, slots=True)
class _Open:
    """A call that has no result yet, or only one from a prompt later than this one."""

    turn_id: str
    seq: int
    call: Call
    syntax: str


def link(earlier: Sequence[ReadTurn], later: ReadTurn) -> tuple[ResultLink, ...]:
    """Results that ``later``'s prompt is the first to show, for calls of earlier turns of its session."""
    calls = _open_calls(earlier, later)
    if not calls:
        return ()
    pairs = _pairs(calls, earlier, later)
    places = sections_at(later.reading.sections, [result for _, result in pairs])
    lines = Lines(later.turn.messages)
    links = []
    for (call, result), place in zip(pairs, places, strict=True):
        line = lines.line(result.message, result.start)
        path = place.path if place is not None else None
        known = Result(later.id, later.seq, path, line, result.value, result.error)
        links.append((call.seq, ResultLink(call.turn_id, call.call.index, known)))
    return tuple(found for _, found in sorted(links, key=lambda item: (item[0], item[1].call_index)))


def _pairs(calls: Sequence[_Open], earlier: Sequence[ReadTurn], later: ReadTurn) -> list[tuple[_Open, Shown]]:
    """Calls with their results, in the order in which the prompt shows the results."""
    pairs = _by_echo(calls, later.turn)
    pairs += _by_reply(_without(calls, pairs), earlier[-1], later.turn)
    pairs += _by_log(_without(calls, pairs), earlier[-1], later.turn)
    shown = shown_in(later.turn)
    if shown:
        places = sections_at(later.reading.sections, shown)
        shown = [result for result, place in zip(shown, places, strict=True) if place or not result.tagged]
        before = shown_in(earlier[-1].turn)
        owners = _owners(earlier)
        shown, before = _nameless(shown, owners), _nameless(before, owners)
        pairs += _by_id(_without(calls, pairs), owners, shown, before)
        taken = {id(result) for _, result in pairs}
        rest = [result for result in shown if id(result) not in taken]
        pairs += _by_order(_without(calls, pairs), rest, before)
    return sorted(pairs, key=lambda pair: (pair[1].message, pair[1].start))


def _nameless(shown: Sequence[Shown], owners: Mapping[str | None, int]) -> list[Shown]:
    """Results without ids that no call of the session has: some agents give ids where a model gave none."""
    return [
        replace(result, id=None) if not result.tagged and result.id not in owners else result
        for result in shown
    ]


def _without(calls: Sequence[_Open], pairs: Sequence[tuple[_Open, Shown]]) -> list[_Open]:
    taken = {id(call) for call, _ in pairs}
    return [call for call in calls if id(call) not in taken]


def posted(turn: Turn, response: Response | None) -> tuple[ResultLink, ...]:
    """Results that the agent itself posted with the turn, by index, id or else name of the call."""
    calls = response.calls if response else ()
    links = []
    used: set[int] = set()
    for result in turn.results:
        index = _posted_index(result.call, result.name, calls, used)
        if index is not None:
            used.add(index)
            known = Result(None, None, None, None, result.value, result.error)
            links.append(ResultLink(turn.id or "", index, known))
    return tuple(links)


def with_results(reading: Reading, links: Sequence[tuple[int, Result]]) -> Reading:
    """The reading with results put into its calls, and into the references to them.

    Of two results for one call, the one that a prompt shows is taken.
    """
    if reading.response is None or not links:
        return reading
    results: dict[int, Result] = {}
    for index, result in links:
        if index not in results or results[index].turn is None:
            results[index] = result
    calls = tuple(
        replace(call, result=results[call.index]) if call.index in results else call
        for call in reading.response.calls
    )
    response = valued(replace(reading.response, calls=calls), reading.layout)
    return replace(reading, response=response)


def _posted_index(call: int | str, name: str | None, calls: Sequence[Call], used: set[int]) -> int | None:
    if isinstance(call, int):
        return call if call < len(calls) else None
    by_id = next((known.index for known in calls if known.id == call), None)
    if by_id is not None:
        return by_id
    wanted = name or call
    return next((known.index for known in calls if known.name == wanted and known.index not in used), None)


def _open_calls(earlier: Sequence[ReadTurn], later: ReadTurn) -> list[_Open]:
    return [
        _Open(turn.id, turn.seq, call, turn.reading.response.syntax)
        for turn in earlier
        if turn.reading.response is not None
        for call in turn.reading.response.calls
        if call.result is None or call.result.seq is None or call.result.seq >= later.seq
    ]


def _owners(earlier: Sequence[ReadTurn]) -> Counter[str | None]:
    """How many calls of the session bear each id."""
    responses = (turn.reading.response for turn in earlier)
    return Counter(call.id for response in responses if response is not None for call in response.calls)


def _by_id(
    calls: Sequence[_Open], owners: Counter[str | None], shown: Sequence[Shown], before: Sequence[Shown]
) -> list[tuple[_Open, Shown]]:
    """Pairs with the same id. Where an id is used again and again, new results go to the latest calls."""
    results: dict[str, list[Shown]] = defaultdict(list)
    for result in shown:
        if result.id is not None:
            results[result.id].append(result)
    old = Counter(result.id for result in before)
    pairs = []
    for call in reversed(calls):
        key = call.call.id
        if key is None or not results.get(key):
            continue
        unique = owners[key] == 1 and len(results[key]) == 1
        if unique or len(results[key]) > old[key]:
            pairs.append((call, results[key].pop()))
    return pairs[::-1]


def _by_echo(calls: Sequence[_Open], turn: Turn) -> list[tuple[_Open, Shown]]:
    """ReAct's calls of the turn before, each with the observation that the prompt shows after it."""
    latest = max((call.seq for call in calls), default=0)
    own = [call for call in calls if call.syntax == "react" and call.seq == latest and len(call.call.raw) > 1]
    found = ((call, observed(turn.messages, call.call.raw)) for call in own[:MAX_SHOWN])
    pairs = [(call, result) for call, result in found if result is not None]
    return pairs if len({(result.message, result.start) for _, result in pairs}) == len(pairs) else pairs[-1:]


def _by_reply(calls: Sequence[_Open], last: ReadTurn, turn: Turn) -> list[tuple[_Open, Shown]]:
    """The call that the last answer wrote into its text, with the message that follows the answer."""
    response = last.reading.response
    if response is None or response.syntax != "markers":
        return []
    own = [call for call in calls if call.seq == last.seq and call.call.id is None]
    reply = replied(turn.messages, response.text[response.prefill_chars :]) if own else None
    return [(own[-1], reply)] if reply is not None else []


def _by_log(calls: Sequence[_Open], last: ReadTurn, turn: Turn) -> list[tuple[_Open, Shown]]:
    """The action in JSON that was done last, with what the prompt's log says came of it.

    That is the last answer's, or that of the agent which had called in the one that gave the last answers.
    """
    own = [call for call in calls if call.syntax == "json" and call.call.id is None][-LOGGED_MAX:]
    found = last_logged(turn.messages) if own else None
    if found is None:
        return []
    call = next((one for one in own[::-1] if found.answers(one.call.name, one.call.arguments)), None)
    is_latest = call is not None and call.seq == last.seq and found.arguments is not None
    if call is None or (not is_latest and _was_logged(found, last.turn)):
        return []
    return [(call, found.result)]


def _was_logged(found: Logged, before: Turn) -> bool:
    """Whether the prompt before ended its log in the same way."""
    known = last_logged(before.messages)
    if known is None or (known.name, known.entries) != (found.name, found.entries):
        return False
    return (known.result.value, known.result.error) == (found.result.value, found.result.error)


def _by_order(
    calls: Sequence[_Open], shown: Sequence[Shown], before: Sequence[Shown]
) -> list[tuple[_Open, Shown]]:
    """Pairs of the same name in order, of results that are new and whose calls have no ids."""
    tagged = sorted(_new_elements(shown, before), key=lambda result: result.id or "")
    new = [*tagged, *_new_others(shown, before)]
    full = sum(result.tagged for result in shown) >= MAX_SHOWN
    pairs = []
    for name in dict.fromkeys(result.name for result in new):
        own = [call for call in calls if call.call.id is None and name in (None, call.call.name)]
        pairs += _paired(own, [result for result in new if result.name == name], full)
    return pairs


def _new_elements(shown: Sequence[Shown], before: Sequence[Shown]) -> list[Shown]:
    """Elements whose id the prompt before did not show."""
    known = {result.id for result in before if result.tagged}
    return [result for result in shown if result.tagged and result.id not in known]


def _new_others(shown: Sequence[Shown], before: Sequence[Shown]) -> list[Shown]:
    """Results without ids beyond those that the prompt before showed with the same words."""
    seen = Counter(_told(result) for result in before if not result.tagged and result.id is None)
    new = []
    for result in shown:
        if result.tagged or result.id is not None:
            continue
        if seen[_told(result)] > 0:
            seen[_told(result)] -= 1
        else:
            new.append(result)
    return new


def _told(result: Shown) -> tuple[str | None, str]:
    return result.name, str(result.value if result.error is None else result.error)


def _paired(calls: Sequence[_Open], results: Sequence[Shown], full: bool) -> list[tuple[_Open, Shown]]:
    """Calls of one name with their results, those of the latest turn first: it is the one just answered."""
    able = [call for call in calls if call.call.status in ("ok", "unchecked")] or list(calls)
    if len(able) < len(results):
        able = list(calls)
    latest = max((call.seq for call in able), default=0)
    own = [call for call in able if call.seq == latest]
    older = [call for call in able if call.seq != latest]
    if len(own) < len(results):
        own = older[len(older) - (len(results) - len(own)) :] + own if older else own
    if len(results) < len(own):
        own = own[len(own) - len(results) :] if full else own[: len(results)]
    return list(zip(own, results[-len(own) :] if own else (), strict=False))
