"""Text to marks: what in a text could open or close a section, in one linear pass with exact offsets.

Only structural places count. An opening tag counts where it begins a line, a closing tag where it begins
or ends one; a tag in the middle of a sentence is prose. Nothing inside a fence or a comment counts.
"""

import re
from itertools import islice
from typing import Literal, NamedTuple

Sort = Literal["tag", "heading", "label", "rule", "fence", "comment"]
INDENT = 3
"""How much further in than its text a heading or label may stand: deeper ones are a list's or code's."""
MAX_MARKS = 20_000
"""Marks looked for in one text. What lies behind the last one is plain text."""

_NAME = r"[A-Za-z_][\w.:-]{0,63}+"
_ATTRIBUTES = r'(?:[ \t](?:[^<>"\n]++|"[^"\n]*+")*+)?+'
_LINE = re.compile(
    rf"""
    \n[ \t]*+(?:
        <(?P<tag>{_NAME})(?P<attributes>{_ATTRIBUTES})(?P<empty>/?)>
      | </(?P<close>{_NAME})[ \t]*+>
      | (?P<hashes>\#{{1,6}}+)[ \t]++(?P<heading>[^\n]++)
      | (?P<fence>`{{3,}}+|~{{3,}}+)(?P<info>[^\n]*+)
      | (?P<rule>-{{3,}}+|={{3,}}+|\*{{3,}}+|_{{3,}}+)[ \t]*+(?P<title>[^\n]*+)
      | (?P<label>[A-Z][\w '&/()-]{{0,59}}+):[ \t\r]*+(?=\n|\Z)
    )
    """,
    re.VERBOSE | re.ASCII,
)
_LAST = re.compile(rf"</(?P<last>{_NAME})[ \t]*+>(?=[ \t\r]*+(?:\n|\Z))", re.ASCII)
_COMMENT = re.compile(r"(?P<comment><!--)")
_PATTERNS = (_LINE, _LAST, _COMMENT)
"""Three passes, each led by fixed characters: four times as fast as one pass by an alternation of all."""
_ATTRIBUTE = re.compile(r'([A-Za-z_][\w.:-]{0,63}+)[ \t]*+=[ \t]*+(?:"([^"\n]*+)"|\'([^\'\n]*+)\')')
_INK = re.compile(r"\S")
_LABEL_RULE = re.compile(r"(?P<title>[^\n]*?[^\s=\-*_])[ \t]*+[-=*_]{3,}+[ \t\r]*+\Z")


class Mark(NamedTuple):
    """Something that could bound a section. ``end`` is the end of the mark itself (of an opening tag)."""

    sort: Sort
    start: int
    end: int
    name: str = ""
    """A tag's name, a heading's or label's words, a fence's info string."""
    level: int = 0
    """A heading's level."""
    attributes: str = ""
    """A tag's attributes as they are written."""
    close_start: int = -1
    """Where the matching closing tag (fence, comment end) begins; -1: there is none."""
    close_end: int = -1


class Scan(NamedTuple):
    """The marks of a text by start. ``complete`` is False when there were more than MAX_MARKS."""

    marks: list[Mark]
    complete: bool = True


def scan(text: str) -> Scan:
    """All marks of a text. Linear in its length, whatever it holds."""
    padded = "\n" + text
    found: list[re.Match[str]] = []
    limit = len(padded)
    for pattern in _PATTERNS:
        some = list(islice(pattern.finditer(padded), MAX_MARKS))
        if len(some) == MAX_MARKS:
            limit = min(limit, some[-1].start())
        found += some
    found.sort(key=re.Match.start)
    if limit < len(padded):
        found = [match for match in found if match.start() <= limit]
    return Scan(_Pairing(text, found).marks(), limit == len(padded))


def attributes_of(written: str) -> dict[str, str]:
    """A tag's attributes by name; of a repeated one the last."""
    if not written:
        return {}
    return {m[1]: m[2] if m[2] is not None else m[3] for m in _ATTRIBUTE.finditer(written)}


def _indent(text: str) -> int:
    """How far in a whole text stands, by its first two lines with words."""
    first = _INK.search(text)
    line = text.find("\n", first.start()) if first else -1
    second = _INK.search(text, line) if line >= 0 else None
    if first is None or second is None:
        return 0
    return min(place.start() - text.rfind("\n", 0, place.start()) - 1 for place in (first, second))


class _Pairing:
    """Puts opening and closing marks together. All positions of matches are one too high."""

    def __init__(self, text: str, found: list[re.Match[str]]) -> None:
        self.text = text
        self.found = found
        self.out: list[Mark] = []
        self.open: list[int] = []
        """Indices in ``out`` of tags not closed yet."""
        self.waiting: dict[str, int] = {}
        """How many open tags there are by name."""
        self.comments = True
        self.indent = _indent(text) + INDENT

    def marks(self) -> list[Mark]:
        closable = self._closable_fences()
        skip = closed = 0
        for index, match in enumerate(self.found):
            if match.start() < skip:
                continue
            match match.lastgroup:
                case "empty":
                    self._open(match)
                case "close" | "last" as group:
                    if match.end() != closed:
                        self._close(match, group)
                    closed = match.end()
                case "info":
                    skip = self._fence(index) if index in closable else skip
                case "comment":
                    skip = self._comment(match.start() - 1)
                case "heading":
                    self._heading(match)
                case "title":
                    self._rule(match)
                case "label":
                    self._label(match)
        return self.out

    def _closable_fences(self) -> frozenset[int]:
        """Fences behind which one stands that could close them."""
        longest = {"`": 0, "~": 0}
        closable = set()
        fences = [index for index, match in enumerate(self.found) if match.lastgroup == "info"]
        for index in reversed(fences):
            fence = self.found[index]["fence"]
            if longest[fence[0]] >= len(fence):
                closable.add(index)
            if not self.found[index]["info"].strip():
                longest[fence[0]] = max(longest[fence[0]], len(fence))
        return frozenset(closable)

    def _comment(self, start: int) -> int:
        """Notes a comment; answers where it ends (as a match position)."""
        close = self.text.find("-->", start + 4) if self.comments else -1
        if close < 0:
            self.comments = False
            return 0
        self.out.append(Mark("comment", start, start + 4, close_start=close, close_end=close + 3))
        return close + 4

    def _fence(self, index: int) -> int:
        """Notes a fence; answers where it ends. A tag opened before it that closes inside ends it, too."""
        opener = self.found[index]
        fence = opener["fence"]
        inside: dict[str, int] = {}
        for later in range(index + 1, len(self.found)):
            match = self.found[later]
            group = match.lastgroup
            if group == "info" and match["fence"].startswith(fence) and not match["info"].strip():
                self._note_fence(opener, match.start("fence") - 1, match.end() - 1)
                return match.end()
            if group == "empty" and not match["empty"]:
                inside[match["tag"]] = inside.get(match["tag"], 0) + 1
            elif group in ("close", "last"):
                name = match[group]
                if inside.get(name):
                    inside[name] -= 1
                elif group == "close" and self.waiting.get(name):
                    self._note_fence(opener, -1, match.start())
                    return match.start()
        return 0

    def _note_fence(self, opener: re.Match[str], close_start: int, close_end: int) -> None:
        start = opener.start("fence") - 1
        info = opener["info"].strip()
        self.out.append(Mark("fence", start, opener.end() - 1, info, 0, "", close_start, close_end))

    def _open(self, match: re.Match[str]) -> None:
        name, attributes, empty = match.group("tag", "attributes", "empty")
        if empty or attributes.endswith("/"):
            return
        self.open.append(len(self.out))
        self.waiting[name] = self.waiting.get(name, 0) + 1
        self.out.append(Mark("tag", match.start("tag") - 2, match.end() - 1, name, 0, attributes))

    def _close(self, match: re.Match[str], group: str) -> None:
        name = match[group]
        if not self.waiting.get(name):
            return
        start, end = match.start(group) - 3, match.end() - 1
        if group == "last" and self._opened_in_line(name, start):
            return
        while True:
            index = self.open.pop()
            mark = self.out[index]
            self.waiting[mark.name] -= 1
            if mark.name == name:
                self.out[index] = Mark("tag", mark.start, mark.end, name, 0, mark.attributes, start, end)
                return

    def _opened_in_line(self, name: str, close: int) -> bool:
        """Whether a closing tag at a line's end belongs to a tag opened in the middle of that line."""
        line = self.text.rfind("\n", 0, close) + 1
        opened = self.text.rfind(f"<{name}", line, close)
        return opened > line and not self.text[line:opened].isspace()

    def _heading(self, match: re.Match[str]) -> None:
        start = match.start("hashes") - 1
        if start - match.start() <= self.indent:
            words = match["heading"].strip().rstrip("#").rstrip()
            self.out.append(Mark("heading", start, match.end() - 1, words, len(match["hashes"])))

    def _label(self, match: re.Match[str]) -> None:
        start, end = match.span("label")
        if start - match.start() - 1 <= self.indent:
            self.out.append(Mark("label", start - 1, end, match["label"]))

    def _rule(self, match: re.Match[str]) -> None:
        start, end = match.start("rule") - 1, match.end() - 1
        title = match["title"].strip()
        if not title:
            self.out.append(Mark("rule", start, end, match["rule"][0]))
        elif len(title) <= 100 and (found := _LABEL_RULE.match(title)):
            self.out.append(Mark("label", start, end, found["title"].strip()))
