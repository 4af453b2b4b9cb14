"""Finds the pages that links lead to, one or two of each kind."""

import re
from collections import Counter, deque
from urllib.parse import urljoin, urlsplit

from tests.visitor import Visitor

STAY_AWAY = re.compile(r"/(record|static|sign-out|openapi\.json)\b|download")


def shape(address: str) -> str:
    """What kind of page an address is: names of things left out, names of options kept."""
    parts = urlsplit(address)
    path = re.sub(
        r"(?<=/(?:s|t)/)[^/]+|(?<=/compare/)[^/]+/[^/]+|(?<=/rules/)[^/]+|(?<=/sections/)[^/]+",
        "*",
        parts.path,
    )
    options = re.sub(r"=[^&]*", "=", parts.query)
    tab = re.search(r"\b(?:tab|view)=\w+", parts.query)
    return f"{path}?{options}{tab[0] if tab else ''}"


def pages(visitor: Visitor, of_each: int = 2, most: int = 80) -> list[str]:
    """Addresses of pages of every shape that can be reached, as somebody who is signed in."""
    queue, seen = deque([visitor.url + "/"]), {visitor.url + "/"}
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
            if not own or address in seen or STAY_AWAY.search(address) or shapes[shape(address)] >= of_each:
                continue
            seen.add(address)
            shapes[shape(address)] += 1
            queue.append(address)
    return list(dict.fromkeys(found))
