"""Finds the pages that links lead to, one or two of each kind."""

import re
from collections import Counter, deque
from urllib.parse import parse_qsl, urljoin, urlsplit

from tests.visitor import Visitor

STAY_AWAY = re.compile(r"/(record|static|sign-out|openapi\.json)\b|download")


MOST_OPTIONS = 1
"""Pages with more options than this are mixtures of pages that are looked at anyway."""


def shape(address: str) -> str:
    """What kind of page an address is: names of things left out, names of options kept."""
    parts = urlsplit(address)
    path = re.sub(
        r"(?<=/(?:s|t)/)[^/]+|(?<=/compare/)[^/]+/[^/]+|(?<=/rules/)[^/]+|(?<=/sections/)[^/]+",
        "*",
        parts.path,
    )
    options = parse_qsl(parts.query)
    views = [value for name, value in options if name in ("tab", "view", "scope")]
    return f"{path}?{'&'.join(sorted({name for name, _ in options}))} {views}"


def is_mixture(address: str) -> bool:
    """Whether several choices meet in it that can also be made alone."""
    options = [
        name
        for name, _ in parse_qsl(urlsplit(address).query)
        if name in ("f", "view", "ws", "volatile", "only")
    ]
    return len(options) > MOST_OPTIONS


def pages(visitor: Visitor, *begin: str, of_each: int = 2, most: int = 80) -> list[str]:
    """Addresses of pages of every shape that can be reached from some paths, as somebody who is signed in."""
    queue = deque(visitor.url + path for path in begin)
    seen = set(queue)
    shapes, found = Counter[str](), list[str]()
    while queue and len(found) < most:
        page = visitor.get(queue.popleft())
        assert page.status == 200, f"{page.status} {page.address}"
        if "text/html" not in page.headers.get("content-type", ""):
            continue
        found.append(page.address)
        for link in page.links:
            address = urljoin(page.address, link)
            own = urlsplit(address).netloc == urlsplit(visitor.url).netloc
            if not own or address in seen or STAY_AWAY.search(address) or is_mixture(address):
                continue
            if shapes[shape(address)] >= of_each:
                continue
            seen.add(address)
            shapes[shape(address)] += 1
            queue.append(address)
    return list(dict.fromkeys(found))
