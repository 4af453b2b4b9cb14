"""Changes to posted JSON that leave it JSON: a fuzzer that only flips bytes rarely gets past the parser."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 2**63, 1e300, 0.5, "", " ", "\x00", "\ud800", "null", "[]", "{"),
    *([], {}, [[]], [None], [""], {"": ""}, {"type": "text"}, {"text": None}, {"role": 1}),
)
STEPS = 4
"""Most changes made at once."""


def mutated_json(data: bytes, chance: random.Random) -> bytes | None:
    """A payload with some of its values changed; None when the bytes are no JSON object."""
    try:
        payload = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(payload, dict):
        return None
    for _ in range(chance.randint(1, STEPS)):
        _change(payload, chance)
    try:
        return json.dumps(payload).encode()
    except RecursionError:
        return None


def _change(payload: Any, chance: random.Random) -> None:
    places = list(_places(payload))
    if places:
        holder, key = chance.choice(places)
        change: Callable[..., None] = chance.choice((_odd, _swapped, _removed, _wrapped, _renamed, _edited))
        change(holder, key, chance, places)


def _places(value: Any, depth: int = 0) -> Iterator[tuple[Any, Any]]:
    """All members, as what holds them and their key or index."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        if depth < 20:
            yield from _places(value[key], depth + 1)


def _odd(holder: Any, key: Any, chance: random.Random, places: Any) -> None:
    holder[key] = json.loads(json.dumps(chance.choice(ODD)))


def _swapped(holder: Any, key: Any, chance: random.Random, places: Any) -> None:
    other, its = chance.choice(places)
    holder[key] = json.loads(json.dumps(other[its]))


def _removed(holder: Any, key: Any, chance: random.Random, places: Any) -> None:
    del holder[key]


def _wrapped(holder: Any, key: Any, chance: random.Random, places: Any) -> None:
    value = holder[key]
    wraps = ([value], {"content": value}, {"type": "text", "text": value}, [value, value], json.dumps(value))
    holder[key] = chance.choice(wraps)


def _renamed(holder: Any, key: Any, chance: random.Random, places: Any) -> None:
    names = [name for _, name in places if isinstance(name, str)]
    if isinstance(holder, dict) and names:
        holder[chance.choice(names)] = holder.pop(key)


def _edited(holder: Any, key: Any, chance: random.Random, places: Any) -> None:
    value = holder[key]
    if isinstance(value, str) and value:
        at, end = sorted((chance.randrange(len(value) + 1), chance.randrange(len(value) + 1)))
        piece = chance.choice(("", "<", '"', "\n", "{", "```", "\ud83d", value[at:end] * 2))
        holder[key] = value[:at] + piece + value[end:]
    elif isinstance(value, list):
        chance.shuffle(value)
