"""A response while it is being read: what a grammar found, before it is judged against the contract."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.turns.arguments import Budget, Parsed, children, parse
from inspector.turns.contract import offers_named, wants_json
from inspector.turns.responses.heard import Quirk
from inspector.turns.turn import Call, CallStatus, Contract, JsonState, Output, ResponseSyntax, Span

NOWHERE = (None, None, None)
Where = tuple[int | None, int | None, int | None]
"""Start and end of the element and start of its body in the response's text; None beside the text."""


@dataclass(slots=True)
class Draft:
    """What a grammar found in a response. Statuses are still ``unchecked``."""

    syntax: ResponseSyntax
    text: str
    complete: bool = True
    reasoning: list[Span] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    stray: list[Span] = field(default_factory=list)
    quirks: list[Quirk] = field(default_factory=list)
    parsed: dict[int, Parsed] = field(default_factory=dict)
    """How each call's arguments were parsed, by index."""
    hosted: set[int] = field(default_factory=set)
    """Calls that the provider carries out itself."""
    output_parsed: dict[int, Parsed] = field(default_factory=dict)

    def call(
        self,
        name: str,
        raw: str,
        attributes: Mapping[str, str],
        where: Where,
        contract: Contract,
        budget: Budget,
        id: str | None = None,
        values: Any = None,
        mended: tuple[str, ...] = (),
    ) -> None:
        """Add a call, its arguments parsed as its offer asks for, unless ``values`` has them."""
        index = len(self.calls)
        arguments: Any = values
        state: JsonState | None = None
        if values is None:
            arguments, state, mended = self._arguments(index, name, raw, contract, budget)
        start, end, raw_start = where
        status: CallStatus = "unchecked" if arguments is not None else "unparsed"
        self.calls.append(
            Call(
                index,
                id,
                name,
                attributes,
                arguments,
                raw,
                state,
                status,
                start,
                end,
                raw_start,
                mended=mended,
            )
        )

    def _arguments(
        self, index: int, name: str, raw: str, contract: Contract, budget: Budget
    ) -> tuple[Any, JsonState | None, tuple[str, ...]]:
        offers = offers_named(contract.actions, name)
        is_xml = any(offer.call_format == "xml" for offer in offers)
        if is_xml and (read := children(raw)):
            found, unclosed = read
            return found, None, tuple(f"<{tag}> is not closed" for tag in unclosed)
        parsed = parse(raw, budget)
        self.parsed[index] = parsed
        return parsed.value, parsed.state, parsed.mended

    def output(
        self,
        name: str,
        raw: str,
        attributes: Mapping[str, str],
        where: Where,
        contract: Contract,
        budget: Budget,
    ) -> None:
        """Add an output; its content is parsed where its offer asks for JSON."""
        index = len(self.outputs)
        offers = offers_named(contract.outputs, name)
        data: Any = None
        status: CallStatus = "unchecked"
        asks = [wants_json(offer) for offer in offers]
        if any(asks) or (not offers and raw.lstrip()[:1] in ("{", "[")):
            parsed = parse(raw, budget)
            self.output_parsed[index] = parsed
            data = parsed.value
            if any(asks) and parsed.state in (None, "invalid"):
                status = "unparsed"
        start, end, raw_start = where
        self.outputs.append(Output(index, name, attributes, data, raw, status, start, end, raw_start))
