"""Token counts by o200k_base, the vocabulary that all figures of the product are in.

The vocabulary is loaded at the first count (some 0.4 s) and kept. Counts don't add up exactly over
parts of a text (about one token a boundary): count the whole for a whole, never sum parts, unless
``adds_up_at`` holds where they meet. It holds at most lines, and prompts grow by lines: so the counts of
long lines are remembered.
"""

import re
from collections.abc import Iterable, Sequence

from toktok import batch_count  # type: ignore[import-untyped]

VOCABULARY = "o200k_base"
LEAST, MOST = 2_000, 256 * 1024
"""Code points of a text that is counted by its lines."""
LINE = 64
"""Mean length of lines that are worth looking up: shorter ones are counted as fast."""
MAX_REMEMBERED = 2_000_000
"""Code points of all lines that are remembered."""
_SURROGATES = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile(r"\n(?=[^\s/])")


def count(text: str) -> int:
    """How many tokens a text is."""
    return count_all((text,))[0] if text else 0


def count_all(texts: Sequence[str]) -> list[int]:
    """How many tokens each text is. A lone surrogate counts as one replacement character."""
    by_lines = [_is_by_lines(text) for text in texts]
    if not any(by_lines):
        return _counted(texts)
    wholes = iter(_counted([text for text, split in zip(texts, by_lines, strict=True) if not split]))
    return [
        _remembered.count(text) if split else next(wholes)
        for text, split in zip(texts, by_lines, strict=True)
    ]


def adds_up_at(text: str, at: int) -> bool:
    """Whether the tokens before and after a place sum up to the whole's for certain: a line begins there.

    The vocabulary's pattern lets no token reach over a line feed, unless blank space or a slash follows.
    """
    return at in (0, len(text)) or (text[at - 1] == "\n" and text[at] != "/" and not text[at].isspace())


def _is_by_lines(text: str) -> bool:
    return LEAST <= len(text) <= MOST and LINE * text.count("\n") < len(text)


class _Remembered:
    """Counts of lines that were seen lately. Threads may share it: what one lets go another still holds."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.chars = 0

    def count(self, text: str) -> int:
        """Tokens of a text, the sum of its lines'."""
        *lines, last = _LINE_END.split(text)
        counts, total, new = self.counts, 0, [last]
        for line in lines:
            known = counts.get(line)
            if known is None:
                new.append(line + "\n")
            else:
                total += known
        found = _counted(new)
        self._add(zip(new[1:], found[1:], strict=True))
        return total + sum(found)

    def _add(self, found: Iterable[tuple[str, int]]) -> None:
        for line, count in found:
            self.chars += len(line)
            self.counts[line[:-1]] = count
        if self.chars > MAX_REMEMBERED:
            self.counts, self.chars = {}, 0


_remembered = _Remembered()


def _counted(texts: Sequence[str]) -> list[int]:
    try:
        counts: list[int] = batch_count(texts, VOCABULARY, threads=1)
    except UnicodeEncodeError:
        counts = batch_count([_encodable(text) for text in texts], VOCABULARY, threads=1)
    return counts


def _encodable(text: str) -> str:
    return _SURROGATES.sub("\ufffd", text)
