"""Making links, and what visitors of one see."""
