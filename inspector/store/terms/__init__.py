"""The full-text index: what is new in a turn, as words that both databases keep alike."""
