"""The scanner: which tags, headings, labels, fences and comments count, and where exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.turns.scan import MAX_MARKS, Mark, attributes_of, scan

PIECES = st.sampled_from(
    [
        "<a>",
        "</a>",
        "<b c='d'>",
        "</b>",
        '<a x="y>',
        "<a/>",
        "```",
        "````py",
        "~~~",
        "<!--",
        "-->",
        "# h",
        "---",
        "=== T ===",
        "Tools:",
        "\n",
        "\n",
        " ",
        "\t",
        "\r\n",
        "\u2028",
        "x",
        '"',
        "\x00",
        "\ud800",
        "😀",
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)


def tags(text: str) -> list[tuple[str, str | None]]:
    """Each tag with what it holds, or None when it is not closed."""
    return [
        (mark.name, text[mark.end : mark.close_start] if mark.close_start >= 0 else None)
        for mark in scan(text).marks
        if mark.sort == "tag"
    ]


def sorts(text: str) -> list[tuple[str, str]]:
    return [(mark.sort, mark.name) for mark in scan(text).marks]


def test_tag_at_a_lines_start_counts() -> None:
    assert tags("<a>\nx\n</a>\n") == [("a", "\nx\n")]
    assert tags("  <a>x</a>") == [("a", "x")]


def test_tag_in_a_sentence_does_not_count() -> None:
    assert tags("Use <a> and </a> as you like") == []


def test_closing_tag_in_a_sentence_does_not_close() -> None:
    assert tags("<a>\nmentions </a> in prose\n</a>") == [("a", "\nmentions </a> in prose\n")]


def test_pair_in_the_middle_of_a_line_does_not_close_the_outer_one() -> None:
    assert tags("<a>\nwrite <a>x</a>\n</a>") == [("a", "\nwrite <a>x</a>\n")]


def test_tags_of_one_name_nest() -> None:
    assert tags("<a>\n<a>\nx\n</a>\n</a>") == [("a", "\n<a>\nx\n</a>\n"), ("a", "\nx\n")]


def test_tag_left_open_inside_is_open() -> None:
    assert tags("<a>\n<b>\n</a>") == [("a", "\n<b>\n"), ("b", None)]


def test_closing_tag_that_nothing_opened_is_text() -> None:
    assert tags("</a>\n<b>\n</b>") == [("b", "\n")]


def test_empty_tag_is_no_section() -> None:
    assert tags("<a/>\n<b />\n<c x='1'/>") == []


def test_attributes_may_hold_brackets_and_stray_quotes() -> None:
    (mark,) = scan('<i user="bob "the builder" <b>">hi</i>').marks
    assert mark.attributes == ' user="bob "the builder" <b>"'
    assert attributes_of(' a="1" b=\'2\' a = "3" c') == {"a": "3", "b": "2"}


@pytest.mark.parametrize("fence", ["```", "````", "~~~", "  ```"])
def test_nothing_inside_a_fence_counts(fence: str) -> None:
    text = f"{fence}py\n# no\n<a>\n</a>\n{fence}\n# yes"
    assert sorts(text) == [("fence", "py"), ("heading", "yes")]


def test_shorter_fence_does_not_close_a_longer_one() -> None:
    assert sorts("````\n```\n# no\n````\n# yes") == [("fence", ""), ("heading", "yes")]


def test_fence_that_is_never_closed_hides_nothing() -> None:
    assert sorts("```py\n# yes") == [("heading", "yes")]


def test_fence_left_open_inside_a_tag_ends_with_it() -> None:
    text = "<file>\n```py\nx\n</file>\n<rules>\ny\n</rules>\n```json\n{}\n```\n"
    assert tags(text) == [("file", "\n```py\nx\n"), ("rules", "\ny\n")]


def test_nothing_inside_a_comment_counts() -> None:
    assert sorts("<!-- \n# no\n<a>\n</a>\n--> \n# yes") == [("comment", ""), ("heading", "yes")]
    assert sorts("<!-- left open\n# yes") == [("heading", "yes")]


def test_headings_labels_and_rules() -> None:
    text = "# One #\n#no\n   ## Two\n     ### code\n---\n--- Title ---\nTools:\nKey: value\n"
    assert sorts(text) == [
        ("heading", "One"),
        ("heading", "Two"),
        ("rule", "-"),
        ("label", "Title"),
        ("label", "Tools"),
    ]


def test_offsets_are_code_points() -> None:
    text = "😀\r\n\u2028\n<a b='😀'>\n𝔘\n</a>"
    (mark,) = [mark for mark in scan(text).marks if mark.sort == "tag"]
    assert text[mark.start : mark.end] == "<a b='😀'>"
    assert text[mark.close_start : mark.close_end] == "</a>"


def test_other_line_ends_are_no_line_ends() -> None:
    assert sorts("x\u2028# no\x0b# no\x85# no\r# no") == []


def test_very_many_marks_are_not_all_looked_at() -> None:
    found = scan("# a\n" * (MAX_MARKS + 5))
    assert not found.complete
    assert len(found.marks) == MAX_MARKS
    assert scan("# a\n" * 5).complete


@given(TEXTS)
def test_marks_are_in_order_and_where_they_say(text: str) -> None:
    marks = scan(text).marks
    assert [mark.start for mark in marks] == sorted(mark.start for mark in marks)
    for mark in marks:
        _assert_written(text, mark)


@given(TEXTS)
def test_pairs_never_cross(text: str) -> None:
    ends: list[int] = []
    for mark in scan(text).marks:
        if mark.sort != "tag" or mark.close_start < 0:
            continue
        while ends and ends[-1] <= mark.start:
            ends.pop()
        assert not ends or mark.close_end <= ends[-1]
        ends.append(mark.close_end)


def _assert_written(text: str, mark: Mark) -> None:
    if mark.sort == "tag":
        assert text.startswith(f"<{mark.name}", mark.start)
        assert text[mark.end - 1] == ">"
        assert text[: mark.start].rstrip(" \t")[-1:] in ("", "\n")
        if mark.close_start >= 0:
            assert text[mark.close_start : mark.close_end].rstrip("> \t") == f"</{mark.name}"
    elif mark.sort == "heading":
        assert text[mark.start : mark.end].startswith("#" * mark.level)
    assert mark.start < mark.end <= len(text)


def test_what_stands_far_in_is_no_heading_or_label() -> None:
    deep = "Look:\n    # a comment\n    Beds:\n      - 4\n   ## Near\n"
    assert [mark.name for mark in scan(deep).marks] == ["Look", "Near"]


@pytest.mark.parametrize("indent", ["    ", "        ", "\t"])
def test_text_that_stands_in_as_a_whole_has_headings_and_labels(indent: str) -> None:
    lines = ["# Context", "Bed 4.", "", "Beds:", "- 4", "    Deeper:"]
    text = "\n" + "\n".join(indent + line if line else "" for line in lines)
    assert [mark.name for mark in scan(text).marks] == ["Context", "Beds"]


def test_one_line_tells_nothing_of_the_whole() -> None:
    assert scan("    # code").marks == []
    assert scan("    # code\nprose\n").marks == []
