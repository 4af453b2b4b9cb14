"""Addresses of a turn's pages: the same templates serve members and visitors of a share."""

from dataclasses import dataclass
from urllib.parse import quote, urlencode


def section_query(path: str) -> str:
    """``section=…`` of an address; lone surrogates can't be part of one, they are asked for as ``?``."""
    return urlencode({"section": path.encode("utf-8", "replace").decode()})


@dataclass(frozen=True, slots=True)
class Links:
    """Where this turn's pages are, and whether other turns may be reached from them."""

    base: str
    """This turn, ending in a slash."""
    turns: str = ""
    """What other turns' addresses start with; empty when the reader may not go there."""
    suffix: str = ""

    def turn(self, key: str | None) -> str:
        """Another turn's page, or empty."""
        return f"{self.turns}{quote(key, safe='')}/{self.suffix}" if self.turns and key else ""

    def section(self, index: int, from_line: int | None = None) -> str:
        """A section's own page and part."""
        query = f"?from={from_line}" if from_line else ""
        return f"{self.base}sections/{index}{query}"

    def line(self, key: str | None, line: int | None) -> str:
        """A line of another turn."""
        page = self.turn(key)
        return f"{page}?line={line}#L{line}" if page and line else page
