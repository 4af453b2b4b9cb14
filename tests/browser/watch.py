"""A real Chromium, and everything it complains about while it shows a page."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, sync_playwright

from tests.services import Missing

Theme = Literal["light", "dark"]
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
REPORT_VIOLATIONS = """
addEventListener("securitypolicyviolation", event =>
    console.error("CSP violation: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample))
"""

MEASURE_SHIFTS = """
window.shifted = 0
new PerformanceObserver(list => list.getEntries().forEach(entry => {
    if (!entry.hadRecentInput) window.shifted += entry.value
})).observe({type: "layout-shift", buffered: true})
"""
"""Cumulative layout shift: how much of the page moved under the reader while it came in."""


def executable() -> str:
    """Path of the Chromium on this machine."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise Missing("chromium is not installed")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running browser without a window."""
    path = executable()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Watch:
    """What went wrong in one browser context."""

    host: str
    """``host:port`` that everything must come from."""
    complaints: list[str] = field(default_factory=list)
    """Console errors and warnings, script errors, policy violations, failed and foreign requests."""

    def listen(self, page: Page) -> None:
        """Notes what a page complains about."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"script error: {error}"))
        page.on("request", self._request)
        page.on("response", lambda answer: self._status(answer.status, answer.url))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(
                f"console {message.type}: {message.text} ({message.location.get('url', '')})"
            )

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob", "about") and parts.netloc != self.host:
            self.complaints.append(f"request to another host: {request.url}")

    def _status(self, status: int, url: str) -> None:
        if status >= 500:
            self.complaints.append(f"status {status}: {url}")


@contextmanager
def context(
    browser: Browser, url: str, *, script: bool = True, theme: Theme = "light"
) -> Iterator[tuple[BrowserContext, Watch]]:
    """A fresh profile for the site at ``url``, and what it complains about."""
    watch = Watch(urlsplit(url).netloc)
    made = browser.new_context(
        base_url=url, java_script_enabled=script, color_scheme=theme, viewport={"width": 1440, "height": 900}
    )
    made.set_default_timeout(15_000)
    if script:
        made.add_init_script(REPORT_VIOLATIONS)
        made.add_init_script(MEASURE_SHIFTS)
    made.on("page", watch.listen)
    try:
        yield made, watch
    finally:
        made.close()


def barriers(page: Page) -> list[str]:
    """What keeps people with assistive technology from using a page, as axe sees it."""
    found = Axe().run(page).response["violations"]
    return [
        f"{page.url} {one['id']}: {one['help']} {[node['target'] for node in one['nodes']][:5]}"
        for one in found
    ]


def unsteady(page: Page) -> list[str]:
    """Whether the document can be scrolled sideways, or moved while it came in."""
    width, room, shifted = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth, window.shifted]"
    )
    found = [f"{page.url} is {width} wide in {room}"] if width > room else []
    return [*found, f"{page.url} moved by {shifted}"] if shifted > 0.01 else found
