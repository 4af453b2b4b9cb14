"""Which of many fixed words a text holds, found in one pass whatever their number."""

from collections.abc import Sequence

import re2


class Watch:
    """Words to look out for, in any case. A word that is not told is surely not there."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(dict.fromkeys(words))
        self._set = re2.Set.SearchSet()
        for word in self._words:
            self._set.Add("(?i)" + re2.escape(word))
        self._set.Compile()

    def seen(self, text: str) -> frozenset[str]:
        """The words that the text holds, upper case or lower."""
        found: list[int] = self._set.Match(text.encode("utf-8", "surrogatepass")) or []
        return frozenset(self._words[index] for index in found)
