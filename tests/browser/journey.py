"""What people come for, click by click: from the sign-in link to a page that somebody else opens."""

from dataclasses import dataclass

from playwright.sync_api import Page, expect

SESSION = "demo:reprint-desk"


def sign_in(page: Page, link: str) -> None:
    """Follows a one-time link and confirms."""
    page.goto(link)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1, name="Sessions")).to_be_visible()


@dataclass(frozen=True, slots=True)
class Journey:
    """Where it led."""

    visited: tuple[str, ...]
    """Addresses of all pages, in order."""
    shared: str
    """The link that anybody may open."""


def travel(page: Page, sign_in_link: str) -> Journey:
    """Sign in → session → turn → findings → compare → share."""
    visited = []

    def arrived() -> None:
        page.wait_for_load_state()
        visited.append(page.url)

    sign_in(page, sign_in_link)
    arrived()
    page.get_by_role("link", name=SESSION).click()
    expect(page.get_by_role("heading", name="What the prompt is made of")).to_be_visible()
    arrived()
    page.get_by_role("row").get_by_role("link", name="Turn 2", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Turn 2")).to_be_visible()
    arrived()
    finding = page.locator(".finding").first
    expect(finding).to_be_visible()
    finding.locator("a.where").click()
    arrived()
    for tab in ("Raw", "Response", "Metadata", "Changes", "Sections"):
        page.get_by_role("navigation", name="Views of this turn").get_by_role("link", name=tab).click()
        expect(
            page.get_by_role("navigation", name="Views of this turn").locator("[aria-current]")
        ).to_contain_text(tab)
        arrived()
    page.get_by_role("link", name="Compare with 1").click()
    expect(page.get_by_role("heading", level=1, name="Turn 1 → turn 2")).to_be_visible()
    arrived()
    page.get_by_role("link", name="Share").first.click()
    expect(page.get_by_role("heading", name="Share a read-only link")).to_be_visible()
    arrived()
    page.get_by_role("button", name="Create link").click()
    expect(page.get_by_role("heading", name="The link is ready")).to_be_visible()
    shared = page.locator("#made-link").inner_text()
    return Journey(tuple(visited), shared)


def open_shared(page: Page, journey: Journey) -> None:
    """Somebody who is not signed in opens the link, and nothing else opens to them."""
    page.goto(journey.shared)
    expect(page.get_by_text("Shared with you")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Turn 1 → turn 2")
    compared = next(address for address in reversed(journey.visited) if "/compare/" in address)
    page.goto(compared)
    expect(page.get_by_role("heading", level=1, name="Sign in")).to_be_visible()
