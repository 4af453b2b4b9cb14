"""Text to marks: what in a text could open or close a section, in one linear pass with exact offsets.

Only structural places count. An opening tag counts where it begins a line, a closing tag where it begins
or ends one; a tag in the middle of a sentence is prose. Nothing inside a fence or a comment counts.
"""

import re
from typing import Literal, NamedTuple

Sort = Literal["tag", "heading", "label", "rule", "fence", "comment"]
MAX_MARKS = 20_000
"""Marks looked for in one text. What lies behind the last one is plain text."""

_NAME = r"[A-Za-z_][\w.:-]{0,63}+"
_ATTRIBUTES = r'(?:[ \t](?:[^<>"\n]++|"[^"\n]*+")*+)?+'
_MARK = re.compile(
    rf"""
    \n[ \t]*+(?:
        (?P<fence>`{{3,}}+|~{{3,}}+)(?P<info>[^\n]*+)
      | (?P<hashes>\#{{1,6}}+)[ \t]++(?P<heading>[^\n]++)
      | <(?P<tag>{_NAME})(?P<attributes>{_ATTRIBUTES})(?P<empty>/?)>
      | </(?P<close>{_NAME})[ \t]*+>
      | (?P<comment><!--)
      | (?P<rule>-{{3,}}+|={{3,}}+|\*{{3,}}+|_{{3,}}+)[ \t]*+(?P<title>[^\n]*+)
      | (?P<label>[A-Z][\w '&/()-]{{0,59}}+):[ \t\r]*+(?=\n|\Z)
    )
    | </(?P<last>{_NAME})[ \t]*+>(?=[ \t\r]*+(?:\n|\Z))
    | (?P<remark><!--)
    """,
    re.VERBOSE | re.ASCII,
)
_ATTRIBUTE = re.compile(r'([A-Za-z_][\w.:-]{0,63}+)[ \t]*+=[ \t]*+(?:"([^"\n]*+)"|\'([^\'\n]*+)\')')
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
    found: list[re.Match[str]] = []
    for match in _MARK.finditer("\n" + text):
        found.append(match)
        if len(found) >= MAX_MARKS:
            return Scan(_Pairing(text, found).marks(), complete=False)
    return Scan(_Pairing(text, found).marks())


def attributes_of(written: str) -> dict[str, str]:
    """A tag's attributes by name; of a repeated one the last."""
    if not written:
        return {}
    return {m[1]: m[2] if m[2] is not None else m[3] for m in _ATTRIBUTE.finditer(written)}


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

    def marks(self) -> list[Mark]:
        closable = self._closable_fences()
        skip = 0
        for index, match in enumerate(self.found):
            if match.start() < skip:
                continue
            group = match.lastgroup
            if group in ("comment", "remark"):
                skip = self._comment(match, match.start(group) - 1)
            elif match["fence"]:
                if index in closable:
                    skip = self._fence(index)
            elif match["tag"]:
                self._open(match)
            elif name := match["close"] or match["last"]:
                self._close(match, name)
            else:
                self._line(match)
        return self.out

    def _closable_fences(self) -> frozenset[int]:
        """Fences behind which one stands that could close them."""
        longest = {"`": 0, "~": 0}
        closable = set()
        for index in range(len(self.found) - 1, -1, -1):
            fence = self.found[index]["fence"]
            if not fence:
                continue
            if longest[fence[0]] >= len(fence):
                closable.add(index)
            if not self.found[index]["info"].strip():
                longest[fence[0]] = max(longest[fence[0]], len(fence))
        return frozenset(closable)

    def _comment(self, match: re.Match[str], start: int) -> int:
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
            closer = match["fence"]
            if closer and closer[0] == fence[0] and len(closer) >= len(fence) and not match["info"].strip():
                self._note_fence(opener, match.start("fence") - 1, match.end() - 1)
                return match.end()
            if match["tag"] and not match["empty"]:
                inside[match["tag"]] = inside.get(match["tag"], 0) + 1
            elif name := match["close"]:
                if inside.get(name):
                    inside[name] -= 1
                elif self.waiting.get(name):
                    self._note_fence(opener, -1, match.start())
                    return match.start()
            elif (name := match["last"]) and inside.get(name):
                inside[name] -= 1
        return 0

    def _note_fence(self, opener: re.Match[str], close_start: int, close_end: int) -> None:
        start = opener.start("fence") - 1
        info = opener["info"].strip()
        self.out.append(Mark("fence", start, opener.end() - 1, info, 0, "", close_start, close_end))

    def _open(self, match: re.Match[str]) -> None:
        if match["empty"] or match["attributes"].endswith("/"):
            return
        name = match["tag"]
        self.open.append(len(self.out))
        self.waiting[name] = self.waiting.get(name, 0) + 1
        self.out.append(Mark("tag", match.start("tag") - 2, match.end() - 1, name, 0, match["attributes"]))

    def _close(self, match: re.Match[str], name: str) -> None:
        if not self.waiting.get(name):
            return
        end = match.end() - 1
        start = end - (match.end() - match.start("close" if match["close"] else "last") + 2)
        if match["last"] and self._opened_in_line(name, start):
            return
        while True:
            index = self.open.pop()
            mark = self.out[index]
            self.waiting[mark.name] -= 1
            if mark.name == name:
                self.out[index] = mark._replace(close_start=start, close_end=end)
                return

    def _opened_in_line(self, name: str, close: int) -> bool:
        """Whether a closing tag at a line's end belongs to a tag opened in the middle of that line."""
        line = self.text.rfind("\n", 0, close) + 1
        opened = self.text.rfind(f"<{name}", line, close)
        return opened > line and not self.text[line:opened].isspace()

    def _line(self, match: re.Match[str]) -> None:
        if match["hashes"]:
            start = match.start("hashes") - 1
            if start - match.start() <= 3:
                words = match["heading"].strip().rstrip("#").rstrip()
                self.out.append(Mark("heading", start, match.end() - 1, words, len(match["hashes"])))
        elif match["rule"]:
            self._rule(match)
        elif match["label"]:
            self.out.append(Mark("label", match.start("label") - 1, match.end("label"), match["label"]))

    def _rule(self, match: re.Match[str]) -> None:
        start, end = match.start("rule") - 1, match.end() - 1
        title = match["title"].strip()
        if not title:
            self.out.append(Mark("rule", start, end, match["rule"][0]))
        elif len(title) <= 100 and (found := _LABEL_RULE.match(title)):
            self.out.append(Mark("label", start, end, found["title"].strip()))
