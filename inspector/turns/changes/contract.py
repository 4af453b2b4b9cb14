"""What two prompts offer differently, and whether calls that were right before would now be wrong."""

from inspector.turns.changes.change import ContractChange
from inspector.turns.turn import Contract


def contract_changes(old: Contract, new: Contract) -> tuple[ContractChange, ...]:
    """The differences, actions first."""
    return ()
