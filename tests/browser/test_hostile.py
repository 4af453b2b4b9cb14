# ruff: noqa: E501 - hostile fields are shown as they are
"""Hundreds of texts that try to be markup, in every field and on every kind of page, in a real browser."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request

from tests.browser.journey import sign_in
from tests.browser.vectors import VECTORS
from tests.browser.watch import Watch, context
from tests.processes import Running, serving

pytestmark = pytest.mark.xdist_group("browser")
PER_TURN = 24
PER_SESSION = 5
FOREIGN = """() => {
  const bad = [], tags = new Set(["IMG","IFRAME","OBJECT","EMBED","STYLE","MATH","VIDEO","AUDIO","MARQUEE","BASE",
    "TEMPLATE","NOSCRIPT","PLAINTEXT","SOURCE","ANIMATE","XMP","FRAMESET","APPLET"])
  for (const one of document.querySelectorAll("*")) {
    const name = one.tagName.toUpperCase(), attributes = [...one.attributes]
    if (tags.has(name) || name.includes("-") || one.id === "pwned") bad.push(name)
    if (name === "SCRIPT" && !one.src.startsWith(location.origin + "/static/")) bad.push("SCRIPT")
    if (name === "META" && one.httpEquiv) bad.push("META")
    for (const { name: key, value } of attributes) {
      if (/^on/i.test(key) || key === "style" || key === "srcdoc") bad.push(`${name} ${key}`)
      if (/hx-/i.test(key) && /pwned/.test(value)) bad.push(`${name} ${key}`)
      if (/^(href|src|action|formaction|xlink:href)$/i.test(key)
          && !/^(#|\\?|\\/(?!\\/)|$)/.test(value) && !value.startsWith(location.origin + "/")) {
        bad.push(`${name} ${key}=${value}`)
      }
    }
  }
  return bad
}"""


def text_of(vectors: Sequence[str]) -> str:
    """A prompt that has each one as heading, tag, attribute, label, fence, JSON and plain text."""
    return "\n".join(
        f'## {v}\n{v}\n<{v}>x</{v}>\n<context type="{v}" key={v}>{v}</context>\n--- {v} ---\n{v}: {v}\n'
        f"```{v}\n{v}\n```\n{json.dumps({v: [v]})}\n"
        for v in vectors
    )


def tool(vector: str) -> dict[str, Any]:
    """A tool whose every word is hostile."""
    schema = {
        "type": "object",
        "required": [vector],
        "properties": {vector: {"type": "string", "description": vector}},
    }
    return {"type": "function", "function": {"name": vector, "description": vector, "parameters": schema}}


def turn_of(number: int, vectors: Sequence[str]) -> dict[str, Any]:
    """A turn with these in every field."""
    first, second, third = vectors[:3]
    call = {
        "type": "function",
        "id": second,
        "function": {"name": first, "arguments": json.dumps({third: first})},
    }
    return {
        "id": f"evil-{number}",
        "session": f"{number // PER_SESSION} {VECTORS[number // PER_SESSION]} {VECTORS[3]}",
        "agent": second, "model": third, "provider": first, "finish_reason": second,
        "error": {"type": first, "message": " ".join(vectors)},
        "tags": {v: v for v in vectors},
        "metadata": {v: [v, {v: v}] for v in vectors},
        third: list(vectors),
        "tools": [tool(v) for v in vectors],
        "messages": [
            {"role": "system", "name": first, "content": text_of(vectors)},
            *({"role": v, "name": v, "content": [{"type": v, "text": v}, {"type": "text", "text": v}]} for v in vectors[3:9]),
            {"role": "assistant", "content": second, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": second, "name": third, "content": first},
        ],
        "response": "<response>"
        + "".join(
            f"<reasoning>{v}</reasoning><action_call name=\"{v}\">{json.dumps({v: v})}</action_call>"
            f"<output type=\"{v}\">{v}</output>{{{{calls[0].{v}}}}}{v}\n"
            for v in vectors
        )
        + "</response>",
        "results": [{"call": n, "name": v, "value": {v: v}} if n % 2 else {"call": n, "error": v} for n, v in enumerate(vectors)],
    }  # fmt: skip


@pytest.fixture(scope="module")
def evil() -> Iterator[Running]:
    """An installation of its own in which every text is hostile."""
    with serving() as running:
        for number, start in enumerate(range(0, len(VECTORS), PER_TURN)):
            running.post(turn_of(number, [*VECTORS[start : start + PER_TURN], *VECTORS[:3]]))
        running.wait_until_nothing_is_due()
        yield running


def turns_of(running: Running) -> list[list[str]]:
    """The turns of each session that is shown under several."""
    sessions = running.ask("GET", "/api/v1/sessions").json()["sessions"]
    return [[session["id"], *turns_in(running, session["id"])] for session in sessions]


def turns_in(running: Running, session: str) -> list[str]:
    """Ids of a session's turns."""
    turns = running.ask("GET", f"/api/v1/sessions/{session}/turns").json()["turns"]
    return [turn["id"] for turn in turns]


def pages_of(running: Running) -> Iterator[str]:
    """Addresses of every kind of page for members."""
    yield "/p/first/"
    for session, *turns in turns_of(running):
        yield f"/p/first/s/{session}/"
        yield from (f"/p/first/t/{turn}/" for turn in turns)
        yield from (f"/p/first/t/{turn}/?tab={('raw', 'response')[n % 2]}" for n, turn in enumerate(turns))
        yield from (
            f"/p/first/t/{turns[-1]}/{rest}" for rest in ("?tab=metadata", "?tab=changes", "sections/0")
        )
        yield f"/p/first/share/?turn={turns[0]}&section=0"
        yield from (f"/p/first/compare/{turns[0]}/{turns[-1]}/{view}" for view in ("", "?view=split"))
    for vector in VECTORS[:: len(VECTORS) // 5]:
        yield "/p/first/?" + urlencode({"q": vector, "f": f"agent:{vector}"})
        yield "/p/first/search/?" + urlencode({"q": f'"{vector}"', "f": f"model:{vector}"})
        yield f"/p/first/t/{quote(vector, safe='')}/"
    yield from ("/p/first/search/?q=pwned", "/p/first/search/?q=onerror%3D&mode=exact")
    yield from ("/p/first/settings/", "/p/first/shares/", "/p/first/start/", "/?all=1")


def look(page: Page, address: str) -> list[str]:
    """Opens a page and what is folded on it; what should not be there."""
    page.goto(address)
    folded = page.locator("details[hx-get]:not([open])")
    if folded.count():
        folded.first.locator("summary").click()
        page.wait_for_load_state("networkidle")
    return [f"{address}: {one}" for one in page.evaluate(FOREIGN)]


def listen(page: Page) -> list[str]:
    """Notes dialogs, and requests that content asked for."""
    noted: list[str] = []

    def dialog(shown: Dialog) -> None:
        noted.append(f"dialog {shown.message}")
        shown.dismiss()

    def request(one: Request) -> None:
        if "pwned" in one.url.split("?")[0] and not one.is_navigation_request():
            noted.append(one.url)

    page.on("dialog", dialog)
    page.on("request", request)
    page.expose_function("pwned", lambda *_: noted.append("script ran"))
    return noted


def named_hostile(page: Page) -> None:
    """People's own words: names of project, key and section, and a link's label."""
    page.goto("/p/first/settings/")
    for index, form in enumerate(("general", "keys", "kinds")):
        page.goto("/p/first/settings/")
        where = page.locator(f"form[action$='settings/{form}']").first
        where.locator("input:not([type=hidden]):not([type=checkbox]):not([type=radio])").first.fill(
            VECTORS[index + 3][:90]
        )
        where.locator("button").first.click()
        page.wait_for_load_state()


def shared_pages(page: Page, running: Running) -> list[str]:
    """Addresses under links of every scope."""
    sessions = turns_of(running)
    session, first, second = next(found for found in sessions if len(found) > 2)[:3]
    section = running.ask("GET", f"/api/v1/turns/{first}").json()["sections"][0]["path"]
    found: list[str] = []
    for scope in (
        {"scope": "turn", "turn": first},
        {"scope": "section", "turn": first, "section": section},
        {"scope": "comparison", "old_turn": first, "turn": second},
        {"scope": "session", "session_id": session},
    ):
        body = json.dumps({**scope, "label": VECTORS[3], "mask": ["secrets", "emails"]}).encode()
        url = running.ask("POST", "/api/v1/shares", body).json()["url"]
        found += [url, f"{url}?tab=raw", f"{url}?tab=response", f"{url}?tab=metadata", f"{url}?view=split"]
    return [*found, f"{url}t/{first}/?open=all", f"{url}compare/{first}/{second}/"]


def complaints_of(watch: Watch) -> list[str]:
    """Pages that are not found say so on the console; that is as it should be."""
    return [one for one in watch.complaints if not re.search(r"status of 40[04]", one)]


def test_no_text_becomes_markup_on_any_page(browser: Browser, evil: Running) -> None:
    assert len(VECTORS) >= 300
    with context(browser, evil.url) as (inside, watch):
        page = inside.new_page()
        noted = listen(page)
        sign_in(page, evil.manage("sign_in").strip())
        named_hostile(page)
        found = [one for address in pages_of(evil) for one in look(page, address)]
        assert found == []
        assert noted == []
        assert complaints_of(watch) == []


def test_no_text_becomes_markup_on_shared_pages(browser: Browser, evil: Running) -> None:
    with context(browser, evil.url) as (outside, watch):
        page = outside.new_page()
        noted = listen(page)
        found = [one for address in shared_pages(page, evil) for one in look(page, address)]
        assert found == []
        assert noted == []
        assert complaints_of(watch) == []


def test_the_harness_sees_what_it_looks_for(browser: Browser, evil: Running) -> None:
    with context(browser, evil.url) as (inside, watch):
        page = inside.new_page()
        noted = listen(page)
        page.goto("/sign-in/")
        page.evaluate(
            "document.body.insertAdjacentHTML('beforeend', '<p id=pwned style=top:0><img src=//pwned.test/a onerror=x>')"
        )
        page.evaluate("pwned()")
        assert {"P", "P style", "IMG", "IMG onerror", "IMG src=//pwned.test/a"} <= set(page.evaluate(FOREIGN))
        assert any("script ran" in one for one in noted)
        assert any("CSP" in one for one in complaints_of(watch))
