"""Four small sessions to look at before an agent of your own posts one: written for this, in the true
formats of the frameworks they imitate, each with a few faults that a person would want to see found.

They are the same on every machine and every day, so that loading them again changes nothing.
"""

from collections.abc import Callable

from inspector.jobs.demo import ankole, daydreams, hive, llm_agent
from inspector.jobs.demo.script import Payload

SESSIONS: tuple[tuple[str, Callable[[], list[Payload]]], ...] = (
    (daydreams.SESSION, daydreams.turns),
    (ankole.SESSION, ankole.turns),
    (hive.SESSION, hive.turns),
    (llm_agent.SESSION, llm_agent.turns),
)
"""Session key and what makes its turns, oldest first."""

__all__ = ["SESSIONS"]
