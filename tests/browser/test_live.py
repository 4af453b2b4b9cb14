"""Pages that wait for news say whether the server answers, and nothing moves under the reader."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.journey import SESSION, sign_in
from tests.browser.watch import context
from tests.processes import Running

pytestmark = pytest.mark.xdist_group("browser")


def test_a_lost_connection_is_told_and_its_return_too(browser: Browser, running: Running) -> None:
    with context(browser, running.url) as (inside, _):
        page = inside.new_page()
        sign_in(page, running.manage("sign_in").strip())
        light = page.locator("#live")
        expect(light).to_have_text("Live")
        inside.set_offline(True)
        expect(light).to_have_text("No connection", timeout=10_000)
        inside.set_offline(False)
        expect(light).to_have_text("Live", timeout=10_000)


def test_pages_without_news_claim_nothing(browser: Browser, running: Running) -> None:
    with context(browser, running.url) as (inside, watch):
        page = inside.new_page()
        sign_in(page, running.manage("sign_in").strip())
        page.goto("/rules/")
        expect(page.locator("#live")).to_have_text("")
        assert watch.complaints == []


def test_without_script_nothing_claims_to_be_live(browser: Browser, running: Running) -> None:
    with context(browser, running.url, script=False) as (inside, watch):
        page = inside.new_page()
        sign_in(page, running.manage("sign_in").strip())
        page.get_by_role("link", name=SESSION).click()
        expect(page.locator("#live")).to_have_text("")
        assert watch.complaints == []


def test_new_turns_are_counted_and_nothing_moves(browser: Browser, running: Running) -> None:
    with context(browser, running.url) as (inside, watch):
        page = inside.new_page()
        sign_in(page, running.manage("sign_in").strip())
        page.set_viewport_size({"width": 1440, "height": 400})
        first = page.locator("tbody th").first.inner_text()
        page.evaluate("scrollTo(0, 40); window.shifted = 0")
        running.post({"id": "news-1", "session": "news", "prompt": "# Task\nSay hello."})
        expect(page.get_by_role("link", name="1 new turn")).to_be_visible(timeout=10_000)
        assert page.locator("tbody th").first.inner_text() == first
        assert page.evaluate("[scrollY, window.shifted]") == [40, 0]
        assert watch.complaints == []
