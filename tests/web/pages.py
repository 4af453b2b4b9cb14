"""What an answer's HTML is made of."""

from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Protocol

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@dataclass
class Page:
    """Elements, addresses, ids and text of a page."""

    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many elements it has."""
        return len(self.elements)

    @property
    def links(self) -> list[str]:
        """Where its links lead."""
        return [at["href"] or "" for tag, at in self.elements if tag == "a" and "href" in at]

    @property
    def ids(self) -> Counter[str]:
        """How often each id occurs."""
        return Counter(at["id"] or "" for _, at in self.elements if "id" in at)

    @property
    def words(self) -> str:
        """Its text, white space squeezed."""
        return " ".join(" ".join(self.text).split())


class Answer(Protocol):
    """What the test client answers."""

    @property
    def content(self) -> bytes:
        """The body."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.page.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.page.text.append(data)


def page_of(response: Answer) -> Page:
    """The page of an answer."""
    reader = _Reader()
    reader.feed(response.content.decode())
    return reader.page
