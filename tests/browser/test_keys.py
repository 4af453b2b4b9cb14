"""The whole way by keyboard: every key of the list, tab order and focus; never in the way of typing."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.journey import SESSION, sign_in
from tests.browser.watch import context
from tests.processes import Running

pytestmark = pytest.mark.xdist_group("browser")
FOCUSED = """() => {
  const at = document.activeElement, box = at.getBoundingClientRect(), style = getComputedStyle(at)
  const around = getComputedStyle(at.closest(".query") || at)
  const seen = box.bottom > 0 && box.top < innerHeight && box.width > 0
  const isRing = each => each.outlineStyle !== "none" && parseFloat(each.outlineWidth) >= 2
  const ringed = [style, around].some(isRing)
  return [at.outerHTML.slice(0, 120), seen, ringed, at === document.body]
}"""


@pytest.fixture
def page(browser: Browser, running: Running) -> Iterator[Page]:
    """Signed in, on the list of sessions, with a clipboard."""
    with context(browser, running.url) as (inside, watch):
        inside.grant_permissions(["clipboard-read", "clipboard-write"])
        page = inside.new_page()
        sign_in(page, running.manage("sign_in").strip())
        yield page
        assert watch.complaints == []


def press(page: Page, *keys: str) -> None:
    """One key after the other."""
    for key in keys:
        page.keyboard.press(key)


def focused(page: Page) -> str:
    """Text of what has the focus."""
    return str(page.evaluate("document.activeElement.textContent")).strip()


def open_turn(page: Page, number: int) -> None:
    """The turn of the demonstration session."""
    page.goto(page.url)
    page.get_by_role("link", name=SESSION).click()
    page.get_by_role("row").get_by_role("link", name=f"Turn {number}", exact=True).click()
    expect(page.get_by_role("heading", level=1, name=f"Turn {number}")).to_be_visible()


def test_rows_of_a_list_are_walked_and_opened(page: Page) -> None:
    press(page, "j", "j")
    second = focused(page)
    press(page, "k")
    assert focused(page) != second
    press(page, "j", "Enter")
    expect(page.get_by_role("heading", level=1, name=second)).to_be_visible()
    assert second


def test_turns_sections_and_findings_are_walked(page: Page) -> None:
    open_turn(page, 2)
    press(page, "j")
    expect(page.get_by_role("heading", level=1, name="Turn 3")).to_be_visible()
    press(page, "k")
    expect(page.get_by_role("heading", level=1, name="Turn 2")).to_be_visible()
    press(page, "]", "]")
    panels = page.locator("section.panel")
    expect(panels.nth(1).locator("summary")).to_be_focused()
    is_open = panels.nth(1).locator("details").evaluate("fold => fold.open")
    press(page, ".")
    assert panels.nth(1).locator("details").evaluate("fold => fold.open") != is_open
    press(page, "[")
    expect(panels.nth(0).locator("summary")).to_be_focused()
    press(page, "y")
    expect(page.get_by_text("Address copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r".*/t/[^/]+/#s-[\w-]+", copied)
    press(page, "n")
    expect(page.locator(".finding a.where").first).to_be_focused()


def test_comparing_and_looking_for_text(page: Page) -> None:
    open_turn(page, 2)
    press(page, "c")
    expect(page.get_by_role("heading", level=1, name="Turn 1 → turn 2")).to_be_visible()
    press(page, "n")
    expect(page.locator("[data-change] summary").first).to_be_focused()
    press(page, "/")
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_keys_are_never_in_the_way_of_typing_or_of_the_browser(page: Page) -> None:
    address = page.url
    field = page.locator("#fq")
    field.click()
    page.keyboard.type("jk[]np/c?.y")
    assert field.input_value() == "jk[]np/c?.y"
    page.locator("h1").click()
    press(page, "Control+c", "Alt+j", "Meta+k")
    assert page.url == address
    assert page.evaluate("document.activeElement === document.body")


def test_suggestions_complete_the_last_term_of_the_query(page: Page) -> None:
    field = page.locator("#fq")
    terms = "[...document.querySelector('#fq').list.options].map(option => option.value)"
    assert "has:error" in page.evaluate(terms)
    field.fill("harbour has:")
    assert "harbour has:error" in page.evaluate(terms)


def test_the_list_of_keys_opens_closes_and_switches_them_off(page: Page) -> None:
    press(page, "?")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    press(page, "Escape")
    expect(dialog).to_be_hidden()
    press(page, "?")
    dialog.get_by_role("button", name="Switch shortcuts off").click()
    press(page, "j")
    assert page.evaluate("document.activeElement.tagName") != "A"


def test_menus_close_by_escape_and_give_the_focus_back(page: Page) -> None:
    menu = page.get_by_label("Account", exact=False).first
    menu.focus()
    press(page, "Enter")
    expect(page.get_by_role("link", name="Account")).to_be_visible()
    press(page, "Tab", "Escape")
    expect(page.get_by_role("link", name="Account")).to_be_hidden()
    expect(menu).to_be_focused()


@pytest.mark.parametrize("tabs", [70])
def test_tab_reaches_all_in_order_and_the_focus_is_always_seen(
    page: Page, running: Running, tabs: int
) -> None:
    open_turn(page, 2)
    turn = page.url
    for address in (
        running.url + "/p/first/",
        turn,
        turn + "?tab=changes",
        running.url + "/p/first/settings/",
    ):
        page.goto(address)
        found = []
        for _ in range(tabs):
            press(page, "Tab")
            found.append(page.evaluate(FOCUSED))
        assert "Skip to content" in found[0][0]
        assert [one for one in found if not one[3] and not (one[1] and one[2])] == [], address
