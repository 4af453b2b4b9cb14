"""A person with a browser that has no script: cookies, links and forms over HTTP."""

import html
import http.cookiejar
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message


@dataclass(frozen=True, slots=True)
class Page:
    """A page that came back."""

    status: int
    address: str
    """Where it was in the end, after redirects."""
    body: bytes
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        """The page's HTML."""
        return self.body.decode("utf-8", "replace")

    @property
    def links(self) -> list[str]:
        """Addresses of all links, in order, without fragments."""
        found = re.findall(r"<a\b[^>]*?\bhref=\"([^\"#]+)", self.text)
        return [html.unescape(link) for link in found]


def lower(headers: Message) -> dict[str, str]:
    """Headers by their name in lower case."""
    return {name.lower(): value for name, value in headers.items()}


class Visitor:
    """Somebody with cookies of their own."""

    def __init__(self, url: str) -> None:
        self.url = url
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), jar)

    def get(self, path: str) -> Page:
        """A page by its path or whole address."""
        return self._open(urllib.request.Request(urllib.parse.urljoin(self.url, path)))

    def post(self, page: Page, fields: Mapping[str, str], path: str | None = None) -> Page:
        """Sends a form of a page, with the page's token against forgery."""
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
        data = {**fields, "csrfmiddlewaretoken": token[1] if token else ""}
        address = urllib.parse.urljoin(page.address, path or page.address)
        request = urllib.request.Request(address, urllib.parse.urlencode(data).encode())
        request.add_header("Referer", page.address)
        return self._open(request)

    def sign_in(self, link: str) -> Page:
        """Follows a one-time link and confirms."""
        return self.post(self.get(link), {})

    def _open(self, request: urllib.request.Request) -> Page:
        try:
            with self.opener.open(request, timeout=60) as answer:
                return Page(answer.status, answer.url, answer.read(), lower(answer.headers))
        except urllib.error.HTTPError as error:
            with error:
                return Page(error.code, error.url or "", error.read(), lower(error.headers))
