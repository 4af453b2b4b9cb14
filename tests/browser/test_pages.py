"""Every kind of page, in both themes: no violation, no error, no foreign request, no barrier."""

import pytest
from playwright.sync_api import Browser

from tests.browser.crawl import pages
from tests.browser.journey import sign_in
from tests.browser.watch import Theme, barriers, context
from tests.processes import Running
from tests.visitor import Visitor

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def addresses(running: Running) -> list[str]:
    """Pages of every shape."""
    visitor = Visitor(running.url)
    visitor.sign_in(running.manage("sign_in").strip())
    return pages(visitor, "/", "/p/first/search/?q=reprint", "/api/v1/docs")


def test_crawl_finds_the_pages_that_matter(addresses: list[str]) -> None:
    together = "\n".join(addresses)
    for part in (
        "/s/",
        "/t/",
        "tab=raw",
        "/compare/",
        "/search/",
        "/settings/",
        "/shares/",
        "/start/",
        "/rules/",
    ):
        assert part in together, part


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_has_complaints_or_barriers(
    browser: Browser, running: Running, addresses: list[str], theme: Theme
) -> None:
    found: list[str] = []
    with context(browser, running.url, theme=theme) as (inside, watch):
        page = inside.new_page()
        sign_in(page, running.manage("sign_in").strip())
        for address in addresses:
            page.goto(address)
            assert "/sign-in/" not in page.url
            found += barriers(page)
        found += watch.complaints
    assert found == []
