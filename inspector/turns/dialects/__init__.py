"""How frameworks write their prompts: one module a dialect, each with its card. The list is the catalogue."""

from inspector.turns.dialects.ankole import ANKOLE
from inspector.turns.dialects.autogpt import AUTOGPT
from inspector.turns.dialects.card import Dialect
from inspector.turns.dialects.claude_code import CLAUDE_CODE
from inspector.turns.dialects.cline import CLINE
from inspector.turns.dialects.copilot import COPILOT
from inspector.turns.dialects.daydreams import DAYDREAMS
from inspector.turns.dialects.eliza import ELIZA
from inspector.turns.dialects.generic import GENERIC
from inspector.turns.dialects.hive import HIVE
from inspector.turns.dialects.letta import LETTA
from inspector.turns.dialects.llm_agent import LLM_AGENT
from inspector.turns.dialects.metagpt import METAGPT
from inspector.turns.dialects.mini_swe import MINI_SWE
from inspector.turns.dialects.openhands import OPENHANDS
from inspector.turns.dialects.react import REACT
from inspector.turns.dialects.swe_agent import SWE_AGENT
from inspector.turns.turn import ReadTurn, Turn

DIALECTS: tuple[Dialect, ...] = (
    DAYDREAMS,
    HIVE,
    ANKOLE,
    LLM_AGENT,
    CLINE,
    SWE_AGENT,
    MINI_SWE,
    AUTOGPT,
    OPENHANDS,
    LETTA,
    COPILOT,
    CLAUDE_CODE,
    REACT,
    METAGPT,
    ELIZA,
    GENERIC,
)
"""Asked in this order; of equals the first one wins."""

__all__ = ["DIALECTS", "Dialect", "choose", "named", "of_session"]


def choose(turn: Turn, notes: list[str] | None = None) -> Dialect:
    """The dialect of a turn: the one it names itself, else the likeliest.

    A dialect that raises while asked counts as 0; ``notes`` then gets a sentence that says so.
    """
    if own := named(turn.dialect):
        return own
    best, most = DIALECTS[-1], 0.0
    for dialect in DIALECTS:
        try:
            likelihood = dialect.likelihood(turn)
        except Exception as error:  # a broken dialect must not cost the others their turn
            likelihood = 0.0
            if notes is not None:
                notes.append(f"dialect {dialect.name} failed while asked: {type(error).__name__}")
        if likelihood > most:
            best, most = dialect, likelihood
    return best


def of_session(turn: Turn, chosen: Dialect, before: ReadTurn | None) -> Dialect:
    """The dialect of a turn that follows another one: the other's, where only that one shows it.

    Some frameworks add nothing to a conversation when they have nothing to tell. What the user said first
    tells whether it is the same conversation.
    """
    if chosen is not DIALECTS[-1] or before is None or turn.dialect:
        return chosen
    spoken = named(before.reading.dialect)
    first = _first_said(turn)
    if spoken is None or not spoken.bare or first is None or first != _first_said(before.turn):
        return chosen
    return spoken


def _first_said(turn: Turn) -> str | None:
    return next((message.text for message in turn.messages if message.role == "user"), None)


def named(name: str | None) -> Dialect | None:
    """The dialect of that name, or None."""
    return next((dialect for dialect in DIALECTS if dialect.name == name), None)
