"""The grammar of answers with native tool calls: text beside calls that the provider carries."""

from inspector.turns.arguments import Budget
from inspector.turns.responses.draft import NOWHERE, Draft
from inspector.turns.turn import Contract, NativeCall, Span


def add_native(draft: Draft, calls: tuple[NativeCall, ...], contract: Contract) -> None:
    """Add native calls to a draft. No arguments at all count as an empty object, as providers mean it."""
    budget = Budget()
    for call in calls:
        if call.hosted:
            draft.hosted.add(len(draft.calls))
        draft.call(
            call.name,
            call.arguments if call.arguments.strip() else "{}",
            {},
            NOWHERE,
            contract,
            budget,
            call.id,
        )


def add_reasoning(draft: Draft, reasoning: tuple[str, ...]) -> None:
    """Put native reasoning before what the text holds."""
    draft.reasoning[:0] = [Span(text, None, None) for text in reasoning]
