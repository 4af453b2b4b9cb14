"""Content is escaped on every way into a page."""

from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.web.highlight import LARGEST, PROMPT, Span, highlighted
from inspector.web.invisible import STACKED
from inspector.web.markup import CodeLine, Flag, code, visible, worded

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&"


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.data: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.data.append(data)


def read(html: str) -> Tags:
    parser = Tags()
    parser.feed(html)
    parser.close()
    return parser


@given(st.text())
def test_any_text_makes_only_our_own_elements(text: str) -> None:
    assert read(visible(text)).tags <= {"span"}


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\x00\r"), max_size=60))
def test_copying_gives_the_original(text: str) -> None:
    if not STACKED.search(text):
        assert "".join(read(visible(text)).data) == text


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(-5, 70), st.integers(-5, 70)), max_size=5))
def test_changed_words_never_cut_an_entity_or_lose_text(text: str, ranges: list[tuple[int, int]]) -> None:
    line = text.replace("\n", " ")
    html = worded([Span("t-str", line)], ranges, "ins")
    assert read(html).tags <= {"span", "ins"}
    bare = read(html.replace("<ins>", "").replace("</ins>", ""))
    whole = read(worded([Span("t-str", line)], (), "ins"))
    assert "".join(bare.data) == "".join(whole.data)


def test_a_tag_of_content_is_never_an_element_of_a_change() -> None:
    html = worded([Span("", "a</ins><b>&amp;")], [(0, 3)], "ins")
    assert html == "<ins>a&lt;/</ins>ins&gt;&lt;b&gt;&amp;amp;"


def test_a_marker_of_another_name_is_refused() -> None:
    with pytest.raises(ValueError, match="script"):
        worded([Span("", "a")], [(0, 1)], "script")


@pytest.mark.parametrize("path", ["large", "slow", "failing", "lying"])
def test_every_fallback_of_colouring_escapes(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = EVIL
    if path == "large":
        text = EVIL + "x" * LARGEST
    elif path == "slow":
        monkeypatch.setattr("inspector.web.highlight.PATIENCE", -1.0)
    elif path == "failing":
        monkeypatch.setattr(PROMPT, "get_tokens_unprocessed", lambda text: 1 / 0)
    else:
        monkeypatch.setattr(PROMPT, "get_tokens_unprocessed", lambda text: [])
    html = code(CodeLine(n, f"L{n}", spans) for n, spans in enumerate(highlighted(text), 1))
    assert read(html).tags <= {"div", "a", "code", "span"}
    assert "<script" not in html


def test_flags_and_anchors_are_escaped() -> None:
    html = code([CodeLine(1, '"><script>', [Span("", EVIL)], "err", (Flag("x", EVIL),))])
    assert read(html).tags == {"div", "a", "code", "span"}


@pytest.mark.parametrize(
    ("character", "label"),
    [
        ("\u202e", "U+202E"),
        ("\u200b", "ZWSP"),
        ("\xa0", "NBSP"),
        ("\x1b", "ESC"),
        ("\U000e0041", "U+E0041"),
        ("\ud800", "U+D800"),
    ],
)
def test_what_cannot_be_seen_is_boxed_and_named(character: str, label: str) -> None:
    html = visible(f"a{character}b")
    assert f'data-c="{label}"' in html
    html.encode()


def test_a_lone_surrogate_and_nul_are_replaced_since_a_page_cannot_hold_them() -> None:
    assert "".join(read(visible("\ud800\x00")).data) == "\ufffd\ufffd"


def test_joiners_inside_emoji_are_ordinary_writing() -> None:
    assert visible("👩\u200d👧 ❤\ufe0f") == "👩\u200d👧 ❤\ufe0f"


def test_piled_up_marks_are_cut() -> None:
    assert len(visible("e" + "\u0301" * 1000)) < 20


def test_a_line_of_ten_megabytes_is_cut_and_counted() -> None:
    html = code([CodeLine(1, "L1", [Span("", "x" * 10_000_000)])])
    assert len(html) < 30_000
    assert "9,980,000 more characters" in unescape(html)


def test_the_number_of_a_line_is_not_part_of_the_text() -> None:
    html = code([CodeLine(12, "L12", [Span("", "hello")])])
    assert "".join(read(html).data) == "hello"
    assert 'id="L12"' in html
