"""Prompt Inspector: what an agent's model saw, what it answered, and what changed.

The map, top to bottom; a room imports rooms below it, never above or beside it:

    urls -> web | api | client -> ingest -> jobs -> sharing -> store -> turns

turns    what a turn is and how to read one; plain Python, pure
store    what we keep; the only app with tables
sharing  what may leave the house
jobs     work outside a request; Celery app; operators' commands
ingest   how turns come in
api      the door for machines
web      the door for people
client   the other end of the wire; stdlib and ``turns`` only
"""

__version__ = "0.1.0"
