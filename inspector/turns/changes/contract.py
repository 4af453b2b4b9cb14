"""What two prompts offer differently, and whether calls that were right before would now be wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inspector.turns.changes.change import ContractChange
from inspector.turns.changes.schemas import schema_differences
from inspector.turns.turn import Contract, Offer

SHOWN = 100
"""Most names that are listed of a changed order."""
MOST = 500
"""Most changes that are listed."""


@dataclass(frozen=True, slots=True)
class _Side:
    """Words for one half of a contract."""

    noun: str
    prefix: str


ACTIONS = _Side("action", "")
OUTPUTS = _Side("output", "output ")


def contract_changes(old: Contract, new: Contract) -> tuple[ContractChange, ...]:
    """The differences, actions first, in the new prompt's order with what is gone at the end."""
    if old == new:
        return ()
    found = [
        *_half(ACTIONS, _grouped(old.actions), _grouped(new.actions)),
        *_half(OUTPUTS, _grouped(old.outputs), _grouped(new.outputs)),
    ]
    distinct: list[ContractChange] = []
    for change in found[: 2 * MOST]:
        if change not in distinct[-50:]:
            distinct.append(change)
    return tuple(distinct[:MOST])


type _Offers = dict[str, list[Offer]]


def _grouped(offers: Sequence[Offer]) -> _Offers:
    groups: _Offers = {}
    for offer in offers:
        groups.setdefault(offer.name, []).append(offer)
    return groups


def _half(side: _Side, olds: _Offers, news: _Offers) -> Iterator[ContractChange]:
    gone = [name for name in olds if name not in news]
    for name, offers in news.items():
        where = side.prefix + name
        if name in olds:
            yield from _both(side, where, olds[name], offers)
            continue
        renamed = next((each for each in gone if _is_same_but_name(olds[each][0], offers[0])), None)
        if renamed is not None:
            gone.remove(renamed)
            yield ContractChange(where, f"{side.noun}-renamed", renamed, name, True)
        else:
            yield ContractChange(where, f"{side.noun}-added", None, _shown(offers[0]), False)
    if (kept := [name for name in olds if name in news]) != (
        order := [name for name in news if name in olds]
    ):
        yield ContractChange(f"{side.noun}s", f"{side.noun}s-reordered", kept[:SHOWN], order[:SHOWN], False)
    for name in gone:
        yield ContractChange(side.prefix + name, f"{side.noun}-removed", _shown(olds[name][0]), None, True)


def _is_same_but_name(old: Offer, new: Offer) -> bool:
    asks_something = isinstance(new.schema, dict) and bool(new.schema.get("properties"))
    return asks_something and old.schema == new.schema and old.description == new.description


def _shown(offer: Offer) -> object:
    return {"description": offer.description, "schema": offer.schema}


def _both(side: _Side, where: str, olds: Sequence[Offer], news: Sequence[Offer]) -> Iterator[ContractChange]:
    """Changes of what both offer; offered more than once, the first is compared with the first, and so on."""
    if len(olds) != len(news):
        change = f"{side.noun}-repeated" if len(news) > len(olds) else f"{side.noun}-repeated-less"
        yield ContractChange(where, change, len(olds), len(news), False)
    for old, new in zip(olds, news, strict=False):
        yield from _offer(side, where, old, new)


def _offer(side: _Side, where: str, old: Offer, new: Offer) -> Iterator[ContractChange]:
    if (old.description or "") != (new.description or ""):
        yield ContractChange(where, "description-changed", old.description, new.description, False)
    if bool(old.required) != bool(new.required):
        change = f"{side.noun}-required" if new.required else f"{side.noun}-optional"
        yield ContractChange(where, change, old.required, new.required, bool(new.required))
    if old.call_format != new.call_format:
        yield ContractChange(where, "call-format-changed", old.call_format, new.call_format, True)
    for each in schema_differences(old.schema, new.schema):
        place = _place(where, each.path)
        yield ContractChange(place, each.change, each.old, each.new, each.breaking)
    for each in schema_differences(old.attributes_schema, new.attributes_schema):
        place = f"{where} @{each.path}" if each.path else f"{where} @"
        yield ContractChange(place, each.change, each.old, each.new, each.breaking)


def _place(where: str, path: str) -> str:
    if not path or path[0] in "[(":
        return where + path
    return f"{where}.{path}"
