"""Which calls of earlier turns would not be accepted any more by what a prompt offers now."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inspector.turns.checking import Fault, faults_of
from inspector.turns.contract import offers_named
from inspector.turns.effort import Effort
from inspector.turns.turn import Call, Contract, ReadTurn

MOST = 100
"""Most calls that are named."""
SHOWN = 3
"""Most faults of one call that are told."""
LOOKED_AT = 2_000
"""Most calls that are checked, the latest first."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A call that was right when it was made and would be wrong now."""

    turn: str
    seq: int
    call: int
    name: str
    why: str
    """In plain words: ``no longer offered``, ``priority: expected low or high, got "normal"``."""


def refused_now(earlier: Sequence[ReadTurn], contract: Contract) -> tuple[Refused, ...]:
    """Calls of earlier turns, the latest first, that fitted their own prompt and don't fit ``contract``."""
    found: list[Refused] = []
    effort = Effort()
    for checked, (read, call) in enumerate(_calls(earlier)):
        if checked >= LOOKED_AT or len(found) >= MOST:
            break
        why = _refusal(call, contract, effort)
        if why is not None:
            found.append(Refused(read.id, read.seq, call.index, call.name, why))
    return tuple(found)


def _calls(earlier: Sequence[ReadTurn]) -> Iterator[tuple[ReadTurn, Call]]:
    for read in reversed(earlier):
        if read.reading.response is not None:
            for call in reversed(read.reading.response.calls):
                if call.status == "ok":
                    yield read, call


def _refusal(call: Call, contract: Contract, effort: Effort) -> str | None:
    """Why no offer takes the call; None when one does or none can tell."""
    offers = offers_named(contract.actions, call.name)
    if not offers:
        return "no longer offered"
    first: str | None = None
    for offer in offers:
        faults: tuple[Fault, ...] | None = ()
        if offer.schema is not None:
            faults = faults_of(offer.schema, call.arguments, effort=effort)
        if not faults:
            return None
        first = first or "; ".join(_words(fault) for fault in faults[:SHOWN])
    return first


def _words(fault: Fault) -> str:
    return f"{fault.path or 'arguments'}: expected {fault.expected}, got {fault.got}"
