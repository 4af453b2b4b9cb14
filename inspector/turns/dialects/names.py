"""From a section's name to its kind, for names that no dialect explains."""

import re
from collections.abc import Mapping
from typing import Literal

from inspector.turns.turn import KINDS, Kind

_WORDS: dict[Kind, str] = {
    "instructions": """instruction rule role persona identity guideline policy objective directive constraint
        behavior behaviour personality system principle communication tone style safety values contract
        reminder important requirement guidance purpose mission practice restriction note protocol
        preference""",
    "documents": "document doc file soul skill reference readme claude agents.md claude.md guide article",
    "environment": "environment env platform date time cwd runtime os locale clock timezone location",
    "format": """format formatting example response schema template answer syntax shot demonstration sample
        respond reply""",
    "actions": "action tool function command capability api toolkit resource",
    "outputs": "output channel",
    "contexts": """context state situation world attachment room attached workspace repository codebase""",
    "memory": """memory notepad scratchpad summary plan todo recall pending knowledge progress pad operation
        block human""",
    "history": "history conversation transcript dialogue dialog message chat log thread",
    "updates": """input update task query request question result observation event current new goal issue
        problem ticket prompt""",
}
WORDS: dict[str, Kind] = {word: kind for kind, words in _WORDS.items() for word in words.split()}
"""Singular words; the last word of a name that is in here decides, since it is mostly the noun."""

PHRASES: dict[str, Kind] = {
    "runtime context": "environment",
    "environment info": "environment",
    "system info": "environment",
    "workspace info": "environment",
    "current date": "environment",
    "current time": "environment",
    "current state": "contexts",
    "current situation": "contexts",
    "working memory": "memory",
    "system reminder": "instructions",
    "system message": "instructions",
    "user instructions": "instructions",
    "how to respond": "format",
    "available skills": "documents",
    "goals": "instructions",
    "about you": "instructions",
    "who you are": "instructions",
    "user message": "updates",
    "previous steps": "history",
}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN = re.compile(r"[\s_:/&,;()*`'\"-]+")
_AFTER_NOUN = re.compile(r" (?:for|of|about|to|in|on|from|with|you|that|when|your|by) ")


def words_of(name: str) -> str:
    """A name as lower-case words: ``toolUseInstructions`` → ``tool use instructions``."""
    return _BETWEEN.sub(" ", _HUMP.sub(" ", name[:200])).strip().lower()


def kind_of(name: str) -> Kind | None:
    """The kind that a section's name suggests, or None."""
    words = words_of(name)
    if words in PHRASES:
        return PHRASES[words]
    for word in reversed(_AFTER_NOUN.split(f"{words} ", maxsplit=1)[0].split()):
        kind = WORDS.get(word) or WORDS.get(_singular(word))
        if kind:
            return kind
    return None


def own_kind(name: str, kinds: Mapping[str, str]) -> Kind | Literal["none"] | None:
    """The kind that a project's own table gives a name, ``none`` for "no section", or None."""
    if not kinds:
        return None
    own = kinds.get(name) or kinds.get(words_of(name))
    return "none" if own == "none" else next((kind for kind in KINDS if kind == own), None)


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") else word
