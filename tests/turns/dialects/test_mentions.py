"""What an author only mentions: comments of pasted code among headings."""

import pytest

from inspector.turns.dialects.mentions import is_comment
from inspector.turns.scan import scan


def comments(text: str) -> list[str]:
    """Names of the first-level headings that are comments."""
    return [mark.name for mark in scan(text).marks if mark.sort == "heading" and is_comment(text, mark)]


@pytest.mark.parametrize(
    "code",
    [
        "# Split the beds in two\nleft, right = split(beds, test_size=0.2)",
        "# Tide tables are kept apart\nfrom tides import table",
        "# -*- coding: utf-8 -*-\nimport os",
        "beds = 4\n# now we water them",
        "def water():\n# nothing yet\n    return 1",
        "# two comments\n# in a row\nwater(beds)",
        "# used for watering\nextra_hoses:\n  - long",
        "# https://docs.example.org/guide\nhoses:\n  - short",
        '# A module\n"""Docs."""',
        "# Go through all\nfor bed in beds:",
    ],
)
def test_heading_beside_code_is_a_comment(code: str) -> None:
    assert comments(f"Look at this:\n\n{code}\n\nFin.") != []


@pytest.mark.parametrize(
    "text",
    [
        "# Task\nwater(bed=4)",
        "# Format example\nbeds = [1, 2]",
        "# Greenhouse\nKeep it warm.",
        "# Greenhouse\nplatform: linux",
        "# Greenhouse\n\nimport os",
        "# Who may water the beds\nIf it rains, nobody may: wait.",
        "## Split the beds\nbeds = 4",
        "Beds before and after.\n# Return of the king\nreturned late",
        "# Alone",
        "#",
    ],
)
def test_heading_beside_prose_or_of_a_known_kind_is_none(text: str) -> None:
    assert comments(text) == []


def test_long_runs_of_comments_are_cheap_and_no_comments() -> None:
    assert comments("# heading like any other\n" * 2_000)[3:-3] == []
