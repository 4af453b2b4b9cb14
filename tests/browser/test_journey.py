"""The main job in a real browser, with script and without, and no complaint from the browser."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.journey import open_shared, sign_in, travel
from tests.browser.watch import context
from tests.processes import Running

pytestmark = pytest.mark.xdist_group("browser")


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_journey_from_sign_in_to_a_link_that_others_open(
    browser: Browser, running: Running, script: bool
) -> None:
    link = running.manage("sign_in").strip()
    with context(browser, running.url, script=script) as (inside, watch):
        journey = travel(inside.new_page(), link)
        assert watch.complaints == []
    with context(browser, running.url, script=script) as (outside, watch):
        open_shared(outside.new_page(), journey)
        assert watch.complaints == []


def test_a_used_link_signs_nobody_in(browser: Browser, running: Running) -> None:
    link = running.manage("sign_in").strip()
    with context(browser, running.url) as (inside, _):
        sign_in(inside.new_page(), link)
    with context(browser, running.url) as (inside, _):
        page = inside.new_page()
        page.goto(link)
        expect(page.get_by_text("This link has been used or has expired.")).to_be_visible()
        page.goto("/p/first/")
        expect(page.get_by_role("heading", level=1, name="Sign in")).to_be_visible()
