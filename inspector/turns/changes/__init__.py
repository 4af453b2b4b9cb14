"""What differs between two prompts: sections first, then lines, then words."""

from inspector.turns.changes.comparison import compare
from inspector.turns.changes.previous import since

__all__ = ["compare", "since"]
