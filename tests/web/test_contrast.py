"""Colours can be read: WCAG contrast of the tokens, in both themes."""

import re
from pathlib import Path

import pytest

CSS = (Path(__file__).parents[2] / "static" / "css" / "tokens.css").read_text()
PAIR = re.compile(r"--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)")
TOKENS = {name: (light, dark) for name, light, dark in PAIR.findall(CSS)}
KINDS = [name for name in TOKENS if name.startswith("k-")]
SYNTAX = [name for name in TOKENS if name.startswith("syn-")]
SURFACES = ["bg", "surface", "sunken", "hover"]


def channels(colour: str) -> list[float]:
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def luminance(rgb: list[float]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: list[float], other: list[float]) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def mixed(colour: list[float], base: list[float], share: float) -> list[float]:
    return [a * share + b * (1 - share) for a, b in zip(colour, base, strict=True)]


def test_there_are_eleven_kinds_with_a_hue_each() -> None:
    assert len(KINDS) == 11
    assert len({TOKENS[name] for name in KINDS}) == 11


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["ink", "ink-2", "ink-3"])
def test_text_reads_on_every_surface(name: str, theme: int) -> None:
    for surface in SURFACES:
        assert contrast(channels(TOKENS[name][theme]), channels(TOKENS[surface][theme])) >= 4.5, surface


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", KINDS)
def test_a_kind_s_code_reads_on_its_tint(name: str, theme: int) -> None:
    hue, surface = channels(TOKENS[name][theme]), channels(TOKENS["surface"][theme])
    assert contrast(hue, mixed(hue, surface, 0.13)) >= 4.5
    assert contrast(hue, surface) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", SYNTAX)
def test_syntax_reads_on_every_background_of_a_line(name: str, theme: int) -> None:
    for background in ("surface", "sunken", "add-bg", "del-bg", "chg-bg", "mov-bg"):
        assert contrast(channels(TOKENS[name][theme]), channels(TOKENS[background][theme])) >= 4.5, background


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["add", "del", "chg", "mov", "info"])
def test_verdicts_and_changes_read(name: str, theme: int) -> None:
    for background in ("surface", "sunken"):
        assert contrast(channels(TOKENS[name][theme]), channels(TOKENS[background][theme])) >= 4.5, background


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["field", "focus"])
def test_controls_and_focus_are_seen(name: str, theme: int) -> None:
    for background in ("surface", "bg"):
        assert contrast(channels(TOKENS[name][theme]), channels(TOKENS[background][theme])) >= 3, background
