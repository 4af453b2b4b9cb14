"""Token counts by o200k_base, the vocabulary that all figures of the product are in.

The vocabulary is loaded at the first count (some 0.4 s) and kept. Counts don't add up exactly over
parts of a text (about one token a boundary): count the whole for a whole, never sum parts, unless
``adds_up_at`` holds where they meet.
"""

import re
from collections.abc import Iterable

from toktok import truncate  # type: ignore[import-untyped]

VOCABULARY = "o200k_base"
_SURROGATES = re.compile("[\ud800-\udfff]")


def count(text: str) -> int:
    """How many tokens a text is. A lone surrogate counts as one replacement character."""
    try:
        return _count(text)
    except UnicodeEncodeError:
        return _count(_SURROGATES.sub("\ufffd", text))


def count_all(texts: Iterable[str]) -> list[int]:
    """How many tokens each text is."""
    return list(map(count, texts))


def adds_up_at(text: str, at: int) -> bool:
    """Whether the tokens before and after a place sum up to the whole's for certain: a line begins there.

    The vocabulary's pattern lets no token reach over a line feed, unless blank space or a slash follows.
    """
    return at in (0, len(text)) or (text[at - 1] == "\n" and text[at] != "/" and not text[at].isspace())


def _count(text: str) -> int:
    # What cuts a text also counts all of it, and unlike what counts many texts it starts no thread.
    total: int = truncate(text, 0, VOCABULARY)[1]
    return total
