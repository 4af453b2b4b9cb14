"""What an author only mentions: HTML, examples, the tags of a usage line. None of these are sections."""

import re

from inspector.turns.dialects.names import kind_of, words_of
from inspector.turns.scan import Mark

_HTML_NAMES = """
    a abbr article aside audio b blockquote body br button canvas center cite code col colgroup dd
    del details div dl dt em embed fieldset figure font footer form frame h1 h2 h3 h4 h5 h6 head
    header hr html i iframe img ins kbd label legend li link main mark meta nav noscript object ol
    option p pre q s samp script section select small source span strike strong style sub summary
    sup svg table tbody td textarea tfoot th thead title tr tt u ul var video xml
"""
_HTML = frozenset(_HTML_NAMES.split())
_COMPONENT = re.compile(r"[A-Z][a-z0-9]++[A-Z]")
_EXAMPLES = frozenset({"example", "examples", "format_example", "sample", "samples", "code", "diff", "patch"})
_WRAPPERS = frozenset({"context", "memory", "history", "environment", "role", "persona", "conversation"})
_CODE_LINE = re.compile(
    r"""[ \t]*+(?:
        import[ ][\w.]+(?:[ ]as[ ]\w+)?$ | from[ ][\w.]+[ ]import[ ] | return\b | @\w | \"{3} | '{3}
      | (?:async[ ])?def[ ]\w+\( | class[ ]\w+[(:] | (?:for|while|if|elif|with|try|else|except)\b[^\n]*:$
      | [\w.]+(?:,[ ][\w.]+){0,8}+(?:\[[^\n]{0,60}\])?[ ][-+*/|]?=[ ]?[\w\["'({-] | [\w.]+\([^\n]*[)(,{\[]$
    )""",
    re.VERBOSE,
)
"""Lines of Python and its like: what stands beside a comment."""
_YAML_LINE = re.compile(r"[ \t]*+(?:- )?[a-z][\w-]{0,40}:(?:[ ]|$)")
_COMMENT_RUN = 4
"""Comments in a row that are looked past for the code they belong to."""
_LINE_MAX = 200
_PLAIN_WORDS = 3
_COLON = r"\b[^\n]{0,80}:[ \t\r*]*\Z"
_USAGE = re.compile(rf"\b(?:usage|examples?|e\.g\.|syntax|like this|such as|for instance){_COLON}", re.I)
_ANSWER = re.compile(
    rf"\b(?:respond|reply|answer|format|structure|output|return|write|begin|template){_COLON}", re.I
)


def is_code(name: str) -> bool:
    """Whether a tag is one of HTML's, or a component's (``ContextMenu``): part of some code."""
    return name.lower() in _HTML or _COMPONENT.match(name) is not None


def is_comment(text: str, mark: Mark) -> bool:
    """Whether a heading is a comment in pasted code: a line of code stands right above or under it.

    A short heading of a known kind is one whatever follows: some prompts show code bare.
    """
    words = len(mark.name.split())
    is_link = words == 1 and "://" in mark.name
    if mark.level != 1 or (words <= _PLAIN_WORDS and not is_link and kind_of(mark.name)):
        return False
    says_much = words > _PLAIN_WORDS or mark.name[:1].islower()
    return any(
        _CODE_LINE.match(line) or (says_much and _YAML_LINE.match(line))
        for line in (_under(text, mark.end), _above(text, mark.start))
    )


def _under(text: str, end: int) -> str:
    """The first line under one that is no comment; nothing where there are too many of these."""
    for _ in range(_COMMENT_RUN):
        start, end = end + 1, text.find("\n", end + 1)
        end = end if end >= 0 else len(text)
        if not text.startswith("# ", start):
            return text[start : min(end, start + _LINE_MAX)].rstrip()
    return ""


def _above(text: str, start: int) -> str:
    """The same for the lines above one."""
    for _ in range(_COMMENT_RUN):
        end, start = start - 1, text.rfind("\n", 0, max(0, start - 1)) + 1
        if end < 0 or not text.startswith("# ", start):
            return text[start : max(start, min(end, start + _LINE_MAX))].rstrip()
    return ""


def is_example(name: str) -> bool:
    """Whether a tag holds an example: what looks like structure inside it is shown, not meant."""
    return name.lower() in _EXAMPLES


def holds_no_sections(name: str) -> bool:
    """Whether what stands inside a tag is shown or code, whatever it looks like."""
    return is_example(name) or is_code(name)


def is_usage(line: str) -> bool:
    """Whether a line announces an example: ``Usage:``, ``For example:``."""
    return _USAGE.search(line) is not None


def is_shown(text: str, start: int, *, answer: bool) -> bool:
    """Whether the line above a place announces an example (with ``answer``: or the form of an answer)."""
    above = _line_above(text, start)
    return is_usage(above) or (answer and _ANSWER.search(above) is not None)


def is_left_open(text: str, mark: Mark) -> bool:
    """Whether a tag looks like a section that somebody forgot to close: a telling name, alone in its line."""
    if mark.sort != "tag" or mark.close_start >= 0 or not text.startswith("\n", mark.end):
        return False
    name = words_of(mark.name)
    tells = " " in name or name.endswith("s") or name in _WRAPPERS
    if not tells or kind_of(name.rsplit(" ", 1)[-1]) in (None, "format"):
        return False
    return not is_shown(text, mark.start, answer=True)


def _line_above(text: str, start: int) -> str:
    """The last line before a place that is not blank, at most 200 code points of it."""
    before = text[max(0, start - 200) : start].rstrip()
    return before[before.rfind("\n") + 1 :]
