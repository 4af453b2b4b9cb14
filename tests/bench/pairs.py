"""Pairs of prompts whose comparison is dear, by name: each gives an old and a new text, messages apart."""

import random
from collections.abc import Callable
from functools import partial

from tests.bench.workload import prose

Texts = tuple[list[str], list[str]]
"""The texts of the old prompt's messages and of the new one's."""
LINE = 90


def _lines(chance: random.Random, chars: int) -> list[str]:
    return [prose(chance, LINE) for _ in range(chars // (LINE + 5))]


def changed(chars: int) -> Texts:
    """Lines of prose of which one in a hundred has another word."""
    chance = random.Random(f"changed {chars}")
    old = _lines(chance, chars)
    new = [line.replace(" ", " other ", 1) if chance.random() < 0.01 else line for line in old]
    return ["\n".join(old)], ["\n".join(new)]


def unrelated() -> Texts:
    """Two megabytes that share words but no line."""
    return ["\n".join(_lines(random.Random("left"), 1_000_000))], [
        "\n".join(_lines(random.Random("right"), 1_000_000))
    ]


def near_equal() -> Texts:
    """Twenty thousand lines that differ in a number, in another order."""
    old = [f"entry {number % 97}: nothing to report, all is well" for number in range(20_000)]
    new = [f"entry {number % 89}: nothing to report, all is well" for number in range(20_000)]
    return ["\n".join(old)], ["\n".join(new)]


def all_changed() -> Texts:
    """Twenty thousand lines of which each has another word."""
    old = [f"entry {number}: nothing to report, all is well" for number in range(20_000)]
    return ["\n".join(old)], ["\n".join(old).replace("well", "good")]


def few_lines() -> Texts:
    """Sixty thousand lines of eight kinds in no order."""
    chance = random.Random("eight")
    old, new = (
        "\n".join(chance.choice("abcdefgh") for _ in range(60_000)),
        "\n".join(chance.choice("abcdefgh") for _ in range(60_000)),
    )
    return [old], [new]


def one_line() -> Texts:
    """A megabyte without a line end, of which one word in a hundred is another."""
    chance = random.Random("line")
    words = prose(chance, 1_000_000).split(" ")
    new = ["other" if chance.random() < 0.01 else word for word in words]
    return [" ".join(words)], [" ".join(new)]


def one_other_line() -> Texts:
    """Two lines of a megabyte that have nothing to do with each other."""
    return [prose(random.Random("left"), 1_000_000)], [prose(random.Random("right"), 1_000_000)]


def paragraph() -> Texts:
    """A paragraph of twenty thousand words of which one in ten is another."""
    chance = random.Random("paragraph")
    words = prose(chance, 200_000).split(" ")[:20_000]
    new = ["other" if chance.random() < 0.1 else word for word in words]
    return [" ".join(words)], [" ".join(new)]


def many_sections() -> Texts:
    """Twenty thousand messages, each with another word in it."""
    old = [f"message {number} says one thing" for number in range(20_000)]
    return old, [text.replace("one", "other") for text in old]


PAIRS: dict[str, Callable[[], Texts]] = {
    "200 KB, 1 % of lines changed": partial(changed, 200_000),
    "1 MB, 1 % of lines changed": partial(changed, 1_000_000),
    "1 MB unrelated": unrelated,
    "20,000 near-equal lines": near_equal,
    "20,000 lines, a word of each changed": all_changed,
    "60,000 lines of 8 kinds": few_lines,
    "one line of 1 MB, 1 % changed": one_line,
    "one line of 1 MB, unrelated": one_other_line,
    "paragraph of 20,000 words": paragraph,
    "20,000 changed sections": many_sections,
}
