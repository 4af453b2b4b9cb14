"""Every kind of page, in both themes: no violation, no error, no foreign request, no barrier."""

import pytest
from playwright.sync_api import Browser

from tests.browser.crawl import pages, shape
from tests.browser.journey import sign_in
from tests.browser.watch import Theme, barriers, context, unsteady
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


@pytest.mark.parametrize(
    ("theme", "width"), [("light", 1440), ("dark", 1440), ("dark", 1024), ("light", 390)]
)
def test_no_page_has_complaints_or_barriers(
    browser: Browser, running: Running, addresses: list[str], theme: Theme, width: int
) -> None:
    found: list[str] = []
    looked_at = addresses if width == 1440 else one_of_each(addresses)
    with context(browser, running.url, theme=theme) as (inside, watch):
        page = inside.new_page()
        sign_in(page, running.manage("sign_in").strip())
        page.set_viewport_size({"width": width, "height": 900})
        for address in looked_at:
            page.goto(address)
            assert "/sign-in/" not in page.url
            found += [*barriers(page), *unsteady(page)]
        found += watch.complaints
    assert found == []


def test_nothing_that_opens_is_a_barrier(browser: Browser, running: Running, addresses: list[str]) -> None:
    found: list[str] = []
    with context(browser, running.url, theme="dark") as (inside, watch):
        page = inside.new_page()
        sign_in(page, running.manage("sign_in").strip())
        for address in one_of_each(addresses):
            page.goto(address)
            if page.evaluate(OPEN_ALL):
                page.wait_for_load_state("networkidle")
                found += barriers(page)
        page.keyboard.press("?")
        found += [*barriers(page), *watch.complaints]
    assert found == []


OPEN_ALL = """() => {
  const folds = [...document.querySelectorAll("main details:not([open])")].slice(0, 12)
  folds.forEach(fold => { fold.open = true })
  document.querySelectorAll("details.menu").forEach(menu => { menu.open = true })
  document.querySelector("[popover]")?.showPopover()
  return folds.length + document.querySelectorAll("[popover]").length
}"""
"""Opens folds, menus and a list of more chips; how many there were besides the menus that all pages have."""


def one_of_each(addresses: list[str]) -> list[str]:
    """The first page of every shape."""
    return list({shape(address): address for address in reversed(addresses)}.values())
