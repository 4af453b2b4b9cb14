"""A draft made into a response: each call and output judged against what the prompt offers."""

from dataclasses import replace
from typing import Any

from inspector.turns.arguments import Parsed
from inspector.turns.checking import Fault, faults_of
from inspector.turns.contract import offers_named, wants_json
from inspector.turns.effort import Effort
from inspector.turns.responses.draft import Draft
from inspector.turns.responses.heard import Judged
from inspector.turns.turn import Call, CallStatus, Contract, Offer, Output


def judged_calls(
    draft: Draft, contract: Contract, *, is_full: bool
) -> tuple[tuple[Call, ...], tuple[Judged, ...]]:
    """The draft's calls with their statuses, and the faults of those that don't fit.

    ``is_full``: the contract is known to be all that the prompt offers, so that a name it lacks is unknown.
    """
    calls: list[Call] = []
    judged: list[Judged] = []
    effort = Effort()
    for call in draft.calls:
        is_closed = (is_full or bool(contract.actions)) and call.index not in draft.hosted
        status, faults = _call(call, draft.parsed.get(call.index), contract, is_closed, effort)
        calls.append(replace(call, status=status))
        if faults:
            judged.append(Judged("call", call.index, faults))
    return tuple(calls), tuple(judged)


def _call(
    call: Call, parsed: Parsed | None, contract: Contract, is_closed: bool, effort: Effort
) -> tuple[CallStatus, tuple[Fault, ...]]:
    """``is_closed``: a name that is not offered is unknown. Providers bring tools of their own with them."""
    offers = offers_named(contract.actions, call.name)
    is_read = call.arguments is not None or (parsed is not None and parsed.state == "strict")
    if not offers and is_closed:
        return "unknown", ()
    if not offers or not is_read:
        return ("unchecked" if is_read else "unparsed"), ()
    raw = (
        call.raw[parsed.offset : parsed.offset + parsed.length]
        if parsed and parsed.state == "strict"
        else None
    )
    return _best(offers, call.arguments, raw, parsed.offset if parsed else 0, effort)


def _best(
    offers: tuple[Offer, ...], value: Any, raw: str | None, offset: int, effort: Effort
) -> tuple[CallStatus, tuple[Fault, ...]]:
    """The verdict of the offer that fits best: two offers of one name are two chances."""
    best: tuple[Fault, ...] | None = None
    for offer in offers:
        faults = faults_of(offer.schema, value, raw, effort) if offer.schema is not None else None
        if faults == ():
            return "ok", ()
        if faults is not None and (best is None or len(faults) < len(best)):
            best = faults
    if best is None:
        return "unchecked", ()
    return "invalid", tuple(_shifted(fault, offset) for fault in best)


def _shifted(fault: Fault, offset: int) -> Fault:
    return replace(fault, offset=fault.offset + offset) if fault.offset is not None else fault


def judged_outputs(
    draft: Draft, contract: Contract, *, is_full: bool
) -> tuple[tuple[Output, ...], tuple[Judged, ...]]:
    """The draft's outputs with their statuses, and the faults of their content and attributes."""
    outputs: list[Output] = []
    judged: list[Judged] = []
    effort = Effort()
    for output in draft.outputs:
        offers = offers_named(contract.outputs, output.name)
        parsed = draft.output_parsed.get(output.index)
        status, faults = _output(output, parsed, offers, contract, is_full, effort)
        wrong = _attributes(output, offers, effort)
        if wrong and status in ("ok", "unchecked"):
            status = "invalid"
        outputs.append(replace(output, status=status))
        if faults:
            judged.append(Judged("output", output.index, faults))
        if wrong:
            judged.append(Judged("attributes", output.index, wrong))
    return tuple(outputs), tuple(judged)


def _output(
    output: Output,
    parsed: Parsed | None,
    offers: tuple[Offer, ...],
    contract: Contract,
    is_full: bool,
    effort: Effort,
) -> tuple[CallStatus, tuple[Fault, ...]]:
    if not offers:
        return ("unknown" if contract.outputs or is_full else "unchecked"), ()
    if output.status == "unparsed":
        return "unparsed", ()
    if not any(wants_json(offer) for offer in offers):
        return _best(offers, output.raw, None, 0, effort)
    raw = (
        output.raw[parsed.offset : parsed.offset + parsed.length]
        if parsed and parsed.state == "strict"
        else None
    )
    return _best(offers, output.data, raw, parsed.offset if parsed else 0, effort)


def _attributes(output: Output, offers: tuple[Offer, ...], effort: Effort) -> tuple[Fault, ...]:
    """The faults of an output's attributes. Always text: names and allowed values are checked."""
    best: tuple[Fault, ...] | None = None
    for offer in offers:
        if not offer.attributes_schema:
            return ()
        found = faults_of(offer.attributes_schema, dict(output.attributes), effort=effort) or ()
        kept = tuple(fault for fault in found if fault.kind in ("missing-argument", "not-allowed-value"))
        if best is None or len(kept) < len(best):
            best = kept
    return best or ()
