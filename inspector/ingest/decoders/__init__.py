"""Bodies to what was posted: one module a form. The bytes of each turn are kept exactly as they came."""

from inspector.ingest.decoders.batch import MAX_ITEMS, batch
from inspector.ingest.decoders.single import turn

__all__ = ["MAX_ITEMS", "batch", "turn"]
