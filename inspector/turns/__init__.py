"""What a turn is and how to read one. Plain Python: no Django, no clock, no files, no network.

A payload becomes a Turn (``wires``), a Turn becomes a Reading (``read``): its dialect, sections, response
and findings. Two readings are compared by ``changes`` and ``prefix``.
"""

from inspector.turns.dialects import DIALECTS, choose
from inspector.turns.errors import NotATurn, TurnError, Unreadable
from inspector.turns.memo import Memo, RecentMemo
from inspector.turns.read import read_turn
from inspector.turns.sections import Sections, sections_of
from inspector.turns.turn import (
    KINDS,
    READ_WITH,
    SEVERITIES,
    Call,
    Contract,
    Finding,
    Kind,
    Message,
    Offer,
    Output,
    Prefix,
    Reading,
    ReadTurn,
    Reference,
    Response,
    Result,
    Section,
    SincePrevious,
    Turn,
)
from inspector.turns.wires import read_payload

__all__ = [
    "DIALECTS",
    "KINDS",
    "READ_WITH",
    "SEVERITIES",
    "Call",
    "Contract",
    "Finding",
    "Kind",
    "Memo",
    "Message",
    "NotATurn",
    "Offer",
    "Output",
    "Prefix",
    "ReadTurn",
    "Reading",
    "RecentMemo",
    "Reference",
    "Response",
    "Result",
    "Section",
    "Sections",
    "SincePrevious",
    "Turn",
    "TurnError",
    "Unreadable",
    "choose",
    "read_payload",
    "read_turn",
    "sections_of",
]
