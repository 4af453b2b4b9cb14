"""What no template may hold, and what every stylesheet and script must keep to."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
FORBIDDEN = {
    "an inline script": re.compile(r"<script(?![^>]*\ssrc=)", re.I),
    "a style element": re.compile(r"<style", re.I),
    "a style attribute": re.compile(r"\sstyle\s*=", re.I),
    "an event attribute": re.compile(r"\son[a-z]+\s*=", re.I),
    "an htmx event attribute": re.compile(r"hx-on|hx-vals\s*=\s*[\"']js:", re.I),
    "a javascript address": re.compile(r"javascript:", re.I),
    "text called safe": re.compile(r"\|\s*safe\b|autoescape off|safeseq"),
    "an unquoted attribute": re.compile(r"\s[\w:-]+=\{\{"),
    "an address of another host": re.compile(r"(?:src|href|action)=[\"'](?:https?:)?//", re.I),
    "a filter slow on hostile text": re.compile(r"\|\s*(?:urlize|striptags|truncate\w*|wordwrap|intcomma)\b"),
}


def test_there_are_templates() -> None:
    assert len(TEMPLATES) > 20


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_no_template_holds_what_the_policy_forbids(path: Path) -> None:
    text = path.read_text()
    assert [what for what, pattern in FORBIDDEN.items() if pattern.search(text)] == []


def test_every_htmx_link_and_form_works_without_script() -> None:
    for path in TEMPLATES:
        for tag in re.findall(r"<(?:a|form)\b[^>]*hx-(?:get|post)[^>]*>", path.read_text()):
            assert "href=" in tag or "action=" in tag, f"{path.name}: {tag}"


def test_only_markup_calls_text_safe() -> None:
    users = [
        path.relative_to(ROOT)
        for path in (ROOT / "inspector").rglob("*.py")
        if re.search(r"\bmark_safe\b|\bformat_html\b|\bSafeString\(", path.read_text())
    ]
    assert [str(path) for path in users] == ["inspector/web/markup.py"]


def test_scripts_are_small_and_write_no_html() -> None:
    for path in (ROOT / "static" / "js").glob("*.js"):
        text = path.read_text()
        assert len(text.splitlines()) < 200
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text
        )


def test_stylesheets_ask_no_other_host() -> None:
    for path in (ROOT / "static" / "css").glob("*.css"):
        assert "url(" not in path.read_text()
        assert "@import" not in path.read_text()
