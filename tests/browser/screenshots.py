"""The README's pictures (``make screenshots``); with a folder as argument, every page, theme and width."""

import sys
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.journey import SESSION, sign_in
from tests.browser.watch import Theme, chromium, context
from tests.processes import ROOT, Running, serving

README_FOLDER = ROOT / "docs" / "screenshots"
WIDTHS = (1440, 1024, 390)
THEMES: tuple[Theme, ...] = ("light", "dark")


def places(running: Running) -> dict[str, str]:
    """Name of a picture -> path of the page."""
    sessions = running.ask("GET", "/api/v1/sessions").json()["sessions"]
    session = next(one for one in sessions if one["key"] == SESSION)
    turns = running.ask("GET", f"/api/v1/sessions/{session['id']}/turns").json()["turns"]
    first, second = (turn["id"] for turn in turns[:2])
    return {
        "sessions": "/p/first/",
        "session": f"/p/first/s/{session['id']}/",
        "turn": f"/p/first/t/{second}/",
        "comparison": f"/p/first/compare/{first}/{second}/",
        "comparison-split": f"/p/first/compare/{first}/{second}/?view=split",
        "turn-raw": f"/p/first/t/{second}/?tab=raw",
        "turn-response": f"/p/first/t/{second}/?tab=response",
        "turn-changes": f"/p/first/t/{second}/?tab=changes",
        "turn-metadata": f"/p/first/t/{second}/?tab=metadata",
        "search": "/p/first/search/?q=reprint",
        "start": "/p/first/start/",
        "settings": "/p/first/settings/",
        "shares": "/p/first/shares/",
        "share": f"/p/first/share/?turn={second}",
        "rule": "/rules/missing-argument",
        "blame": f"/p/first/t/{second}/?blame=1",
        "sections": f"/p/first/s/{session['id']}/history/",
        "history": f"/p/first/s/{session['id']}/history/?section=durable_context",
        "prefix": f"/p/first/s/{session['id']}/prefix/",
        "presence": f"/p/first/s/{session['id']}/presence/?text=reprint",
        "versions": "/p/first/versions/",
    }


def for_the_readme(browser: Browser, running: Running) -> None:
    """Four pictures, light."""
    README_FOLDER.mkdir(parents=True, exist_ok=True)
    with context(browser, running.url) as (inside, _):
        page = inside.new_page()
        sign_in(page, running.manage("sign_in").strip())
        for name in ("session", "turn", "comparison"):
            page.goto(places(running)[name])
            page.screenshot(path=README_FOLDER / f"{name}.png")


def of_everything(browser: Browser, running: Running, folder: Path) -> None:
    """Every page, theme and width, whole."""
    folder.mkdir(parents=True, exist_ok=True)
    for theme in THEMES:
        with context(browser, running.url, theme=theme) as (inside, watch):
            page = inside.new_page()
            sign_in(page, running.manage("sign_in").strip())
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                for name, path in places(running).items():
                    page.goto(path)
                    page.screenshot(path=folder / f"{name}-{theme}-{width}.png", full_page=True)
            print("\n".join(watch.complaints))


def main(args: list[str]) -> None:
    """Starts all that is needed, and takes the pictures."""
    with chromium() as browser, serving() as running:
        running.manage("demo")
        running.wait_until_nothing_is_due()
        if args:
            of_everything(browser, running, Path(args[0]))
        else:
            for_the_readme(browser, running)


if __name__ == "__main__":
    main(sys.argv[1:])
