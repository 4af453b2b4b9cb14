"""Anchors of sections: short, unique on the page and made of safe letters only, whatever the path holds."""

from collections.abc import Sequence

LONGEST = 48
SAFE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


def slug(path: str) -> str:
    """``contexts/context[chat:user1]`` -> ``contexts-context-chat-user1``."""
    kept = "".join(letter if letter in SAFE else " " for letter in path[: 4 * LONGEST].lower())
    return "-".join(kept.split())[:LONGEST].strip("-") or "section"


def slugs(paths: Sequence[str]) -> list[str]:
    """One anchor per path, in order; repeats are numbered."""
    seen: dict[str, int] = {}
    taken: set[str] = set()
    found = []
    for path in paths:
        name = slug(path)
        count = seen.get(name, 0) + 1
        unique = name if count == 1 else f"{name}-{count}"
        while unique in taken:
            count += 1
            unique = f"{name}-{count}"
        seen[name] = count
        taken.add(unique)
        found.append(unique)
    return found
