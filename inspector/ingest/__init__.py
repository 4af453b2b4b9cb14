"""How turns come in: limits, decoders, and intake, the only way in."""
