"""Colours for prompt text: text to spans, line by line. Knows no HTML.

Only two lexers are ever used, both linear on hostile text: our own for prompts and Pygments' JSON
lexer. Whatever is large, slow or fails comes back as plain spans; the text itself is never changed.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pygments.lexer import Lexer, RegexLexer
from pygments.lexers.data import JsonLexer
from pygments.token import Comment, Generic, Keyword, Name, Number, Punctuation, String, Text, _TokenType

LARGEST = 64 * 1024
"""Code points of one section that are still coloured."""
PATIENCE = 0.25
"""Seconds for one section; a slower one is shown plain."""

CLASSES: dict[_TokenType, str] = {
    Name.Tag: "t-tag",
    Name.Attribute: "t-attr",
    Name.Label: "t-key",
    String: "t-str",
    Number: "t-num",
    Keyword: "t-num",
    Name.Variable: "t-ph",
    Generic.Heading: "t-head",
    Comment: "t-dim",
}


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text of one colour; ``css`` is empty for plain text."""

    css: str
    text: str


class TooSlow(Exception):
    """Colouring took longer than a page may wait."""


PLACEHOLDER = r"\{\{[^{}\n]{1,200}\}\}|\$\{[^{}\n]{1,200}\}"
STRING = r'"(?:[^"\\\n]|\\.){0,2000}+"'
"""Possessive, so that an unclosed quote is given up in one pass."""


class PromptLexer(RegexLexer):  # type: ignore[misc]
    """Tags with attributes, JSON beside them, headings and placeholders. Every pattern is bounded."""

    name = "Prompt"
    tokens = {
        "root": [
            (r"^#{1,6} [^\n]{0,300}", Generic.Heading),
            (r"^(?:---|===) ?[^\n]{1,120}? ?(?:---|===)$", Generic.Heading),
            (r"<!--[^\n]{0,200}?-->", Comment),
            (r"</[A-Za-z_][\w:.-]{0,80}\s?>", Name.Tag),
            (r"<[A-Za-z_][\w:.-]{0,80}(?=[\s/>])", Name.Tag, "tag"),
            (PLACEHOLDER, Name.Variable),
            (r'[{\[](?=\s{0,8}["\]}{\[])', Punctuation, "json"),
            (r"[^<#{$\[\n=-]{1,500}+", Text),
            (r"\n", Text),
            (r".", Text),
        ],
        "tag": [
            (r"[ \t]{1,200}+", Text),
            (r"[\w:.@-]{1,80}+(?==)", Name.Attribute),
            (r"=", Name.Tag),
            (r'"[^"<\n]{0,1000}"|\'[^\'<\n]{0,1000}\'', String),
            (r"/?>", Name.Tag, "#pop"),
            (r"", Text, "#pop"),
        ],
        "json": [
            (PLACEHOLDER, Name.Variable),
            (STRING + r"(?=\s{0,8}:)", Name.Label),
            (STRING, String),
            (r"-?\d{1,400}+(?:\.\d{1,400}+)?(?:[eE][+-]?\d{1,9}+)?", Number),
            (r"\b(?:true|false|null)\b", Keyword),
            (r"\n(?=\s{0,80}[^\s\"\]}\[{\d-])", Text, "#pop"),
            (r"(?=</?[A-Za-z])", Text, "#pop"),
            (r"[^\"{$\n<\dtfn-]{1,500}+", Text),
            (r"\n|.", Text),
        ],
    }


PROMPT = PromptLexer(stripnl=False, ensurenl=False)
JSON = JsonLexer(stripnl=False, ensurenl=False)


def css_of(token: _TokenType) -> str:
    """The class of a token: its own or that of the nearest kind above it."""
    while token is not None:
        if token in CLASSES:
            return CLASSES[token]
        token = token.parent
    return ""


def coloured(text: str, lexer: Lexer) -> Iterator[Span]:
    """Spans of the whole text; raises TooSlow."""
    stop = time.monotonic() + PATIENCE
    css = ""
    run: list[str] = []
    for _, kind, part in lexer.get_tokens_unprocessed(text):
        if time.monotonic() > stop:
            raise TooSlow
        # In JSON, Pygments calls an object's key a tag.
        own = "t-key" if lexer is JSON and kind is Name.Tag else css_of(kind)
        if own != css and run:
            yield Span(css, "".join(run))
            run = []
        css = own
        run.append(part)
    if run:
        yield Span(css, "".join(run))


def in_lines(spans: Iterable[Span]) -> list[list[Span]]:
    """Spans cut at line ends; the ends themselves are left out."""
    lines: list[list[Span]] = [[]]
    for span in spans:
        first, *others = span.text.split("\n")
        if first:
            lines[-1].append(Span(span.css, first))
        for other in others:
            lines.append([Span(span.css, other)] if other else [])
    return lines


def plain(text: str) -> list[list[Span]]:
    """Lines without colour."""
    return in_lines([Span("", text)])


def highlighted(text: str, lexer: Lexer = PROMPT) -> list[list[Span]]:
    """Coloured lines, or plain ones when the text is large, colouring is slow, or it fails or lies."""
    if len(text) > LARGEST:
        return plain(text)
    try:
        spans = list(coloured(text, lexer))
    except Exception:
        # Colour is a nicety: whatever a lexer does, the text must be shown.
        return plain(text)
    if "".join(span.text for span in spans) != text:
        return plain(text)
    return in_lines(spans)
