"""The grammar of answers that are one JSON object, or several: thoughts, commands, or simply data."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.turns.arguments import Budget, Parsed, parse, unwrapped, value_end
from inspector.turns.contract import offers_named, wants_json
from inspector.turns.positions import Places, Step
from inspector.turns.responses.draft import NOWHERE, Draft, Where
from inspector.turns.responses.heard import Quirk
from inspector.turns.turn import Contract, Span

OBJECTS_MAX = 100
"""Objects of one answer that are read."""
_BETWEEN = re.compile(r"[\s,;]*+")
_FENCED = re.compile(r"```(?:json|JSON)?[ \t]*+\r?\n(?=\s*+[{\[])")
_OBJECT = re.compile(r"\{\s*+[\"'][\w .-]{1,60}+[\"']\s*+:")
_THOUGHTS = ("thoughts", "thought", "reasoning", "thinking", "analysis", "rationale")
_NAMES = ("name", "action", "tool", "tool_name", "function", "command")
_ARGUMENTS = ("arguments", "args", "parameters", "params", "action_input", "input", "tool_input", "kwargs")
_LISTS = ("tool_calls", "actions", "calls", "function_calls", "commands")
_SAID = ("final_answer", "answer", "response", "reply", "message", "content", "text")


@dataclass(frozen=True, slots=True)
class _Value:
    """One JSON value of the answer and where its text lies."""

    value: Any
    start: int
    end: int
    parsed: Parsed
    places: Places


@dataclass(frozen=True, slots=True)
class _Asked:
    """A call found inside a value."""

    name: str
    path: tuple[Step, ...]
    """Path of the arguments; of the call itself where it gives none."""
    arguments: Any
    id: str | None = None


def read(text: str, contract: Contract, *, expected: bool) -> Draft | None:
    """A text as JSON, or None where it isn't. ``expected``: broken or inside prose will do."""
    values = _values(text, expected=expected)
    if not values or not any(isinstance(item.value, dict | list) for item in values):
        return None
    draft = Draft("json", text)
    draft.complete = all(item.parsed.state != "truncated" for item in values)
    asked = [list(_asked(item.value, contract)) for item in values]
    if asked[0] and "```" in text[values[0].end :]:
        values, asked = values[:1], asked[:1]  # what comes in fences after a call are examples
    for item, calls in zip(values, asked, strict=True):
        _read(draft, item, calls or (_bare(item.value) if any(asked) else []), contract)
    said = [item for item in values if isinstance(item.value, dict)]
    if len(said) > 1 and not draft.calls:
        draft.quirks.append(Quirk("json-again", said[1].start, said[1].end))
    _rest(draft, values)
    return draft


def is_one(text: str) -> bool:
    """Whether a text is one JSON object from its first to its last letter."""
    body = text.strip()
    return body[:1] == "{" and value_end(body, 0) == len(body)


def _values(text: str, *, expected: bool) -> list[_Value]:
    body, offset, _ = unwrapped(text)
    if body[:1] not in ("{", "["):
        return _in_prose(text, expected=expected)
    found: list[_Value] = []
    position, stop = offset, offset + len(body)
    while position < stop and len(found) < OBJECTS_MAX:
        end = value_end(text, position)
        if end is None or end > stop:
            break
        found.append(_value(text, position, end))
        between = _BETWEEN.match(text, end)
        position = between.end() if between else end
    if found and (position >= stop or expected or text[position:stop].lstrip().startswith("</")):
        return found
    if found and not expected:
        return found if isinstance(found[0].value, dict) and found[0].value else []
    parsed = parse(text)
    is_meant = expected or parsed.state == "truncated" or _OBJECT.match(body) is not None
    return (
        [_Value(parsed.value, offset, stop, parsed, Places(text, offset, stop))]
        if is_meant and parsed.state != "invalid"
        else []
    )


def _in_prose(text: str, *, expected: bool) -> list[_Value]:
    """JSON in a text that begins with words: in fences, at its end, or anywhere if it is ``expected``."""
    if fenced := _in_fences(text):
        return fenced
    start = text.find("{") if expected else (text.find("\n{") + 1) or -1
    end = value_end(text, start) if start >= 0 else None
    return [_value(text, start, end)] if end is not None and (expected or not text[end:].strip()) else []


def _in_fences(text: str) -> list[_Value]:
    found: list[_Value] = []
    position = 0
    while len(found) < OBJECTS_MAX and (fence := _FENCED.search(text, position)):
        end = value_end(text, fence.end())
        if end is None:
            break
        found.append(_value(text, fence.end(), end))
        position = end
    return found


def _value(text: str, start: int, end: int) -> _Value:
    parsed = parse(text[start:end])
    return _Value(parsed.value, start, end, parsed, Places(text, start, end))


def _bare(value: Any) -> list[_Asked]:
    """A name alone, beside objects that are calls, is a call without arguments."""
    is_bare = isinstance(value, dict) and value.keys() == {"name"} and isinstance(value["name"], str)
    return [_Asked(value["name"], (), {})] if is_bare else []


def _read(draft: Draft, item: _Value, asked: Sequence[_Asked], contract: Contract) -> None:
    for path in _thoughts(item.value):
        text, where = _string(item, path)
        draft.reasoning.append(Span(text, *where[:2]))
    for call in asked:
        raw, where = _raw(draft.text, item, call.path, call.arguments)
        draft.call(call.name, raw, {}, where, contract, Budget(), call.id)
    if not asked:
        _say(draft, item, contract)


def _thoughts(value: Any) -> Iterator[tuple[Step, ...]]:
    """Paths of the texts in which the model thinks."""
    if not isinstance(value, dict):
        return
    for key in _THOUGHTS:
        inner = value.get(key)
        if isinstance(inner, str) and inner.strip():
            yield (key,)
        elif isinstance(inner, dict):
            yield from (
                (key, name)
                for name, text in list(inner.items())[:20]
                if isinstance(text, str) and text.strip()
            )


def _asked(value: Any, contract: Contract) -> Iterator[_Asked]:
    """The calls that a value asks for, in the shapes that frameworks use."""
    if isinstance(value, list):
        for index, item in enumerate(value[:OBJECTS_MAX]):
            if call := _call(item, (index,), contract):
                yield call
        return
    if not isinstance(value, dict):
        return
    for key in _LISTS:
        for index, item in enumerate(value[key][:OBJECTS_MAX] if isinstance(value.get(key), list) else ()):
            if call := _call(item, (key, index), contract):
                yield call
    for key in ("command", "action", "tool_call", "function_call"):
        if isinstance(value.get(key), dict) and (call := _call(value[key], (key,), contract)):
            yield call
            return
    if call := _call(value, (), contract):
        yield call


def _call(item: Any, path: tuple[Step, ...], contract: Contract) -> _Asked | None:
    if not isinstance(item, dict):
        return None
    id = item.get("id") if isinstance(item.get("id"), str) else None
    if isinstance(item.get("function"), dict):
        path, item = (*path, "function"), item["function"]
    key = next((key for key in _NAMES if isinstance(item.get(key), str) and item[key]), None)
    if key is None:
        return None
    name = item[key]
    given = next((argument for argument in _ARGUMENTS if argument in item), None)
    if given is None:
        known = bool(offers_named(contract.actions, name))
        return _Asked(name, path, {}, id) if known and len(item) <= 3 else None
    if key == "name" and given in ("input", "params") and not offers_named(contract.actions, name):
        return None
    return _Asked(name, (*path, given), item[given], id)


def _raw(text: str, item: _Value, path: Sequence[Step], arguments: Any) -> tuple[str, Where]:
    """The arguments' own text and place; where the whole was mended, a clean copy without a place."""
    place = item.places.of(path) if item.parsed.state == "strict" and path else None
    if place is None:
        return json.dumps(arguments, ensure_ascii=False), (item.start, item.end, None)
    start, end = place
    if isinstance(arguments, str) and arguments.lstrip()[:1] in ("{", "["):
        return arguments, (item.start, item.end, None)
    return text[start:end], (item.start, item.end, start)


def _string(item: _Value, path: Sequence[Step]) -> tuple[str, Where]:
    value = item.value
    for step in path:
        value = value[step]
    place = item.places.of(path) if item.parsed.state == "strict" else None
    if place is None:
        return value, NOWHERE
    start, end = place[0] + 1, place[1] - 1
    return value, (start, end, start)


def _say(draft: Draft, item: _Value, contract: Contract) -> None:
    """What a value without calls says: its answer if only thoughts stand beside it, else all of it."""
    value = item.value
    said = [key for key in value if key not in _THOUGHTS] if isinstance(value, dict) else []
    if len(said) != 1 or said[0] not in _SAID or not isinstance(value[said[0]], str):
        raw = draft.text[item.start : item.end]
        draft.output(_whole_name(contract), raw, {}, (item.start, item.end, item.start), contract, Budget())
        return
    text, (start, end, raw_start) = _string(item, (said[0],))
    is_plain = len(text) == (end or 0) - (start or 0)
    where = (item.start, item.end, raw_start if is_plain else None)
    draft.output(said[0], text, {}, where, contract, Budget())


def _whole_name(contract: Contract) -> str:
    """The name of the one output that is offered as JSON, if it is one."""
    names = {offer.name for offer in contract.outputs[:2] if wants_json(offer)}
    return names.pop() if len(names) == 1 and len(contract.outputs) == 1 else "json"


def _rest(draft: Draft, values: Sequence[_Value]) -> None:
    """What stands around the JSON is stray, fences aside."""
    position = 0
    for start, end in [*((item.start, item.end) for item in values), (len(draft.text), len(draft.text))]:
        rest = draft.text[position:start]
        if rest.strip(" \t\r\n,;`") not in ("", "json", "JSON"):
            draft.stray.append(Span(rest, position, start))
        position = max(position, end)
