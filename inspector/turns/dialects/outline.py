"""A text's own outline: pieces by its tags, headings and known labels, where no dialect explains them.

Takes structure where it stands: a tag that begins a line and is closed, a heading outside tags and fences.
What an author only mentions (an example, a usage line's tag, HTML) stays text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from inspector.turns.dialects.card import Piece
from inspector.turns.dialects.mentions import (
    holds_no_sections,
    is_code,
    is_comment,
    is_example,
    is_left_open,
    is_shown,
    is_usage,
)
from inspector.turns.dialects.names import kind_of, own_kind, words_of
from inspector.turns.scan import Mark, attributes_of, scan
from inspector.turns.turn import Kind, Syntax

MAX_DEPTH = 3
"""Deepest section: heading, heading, tag, tag."""
MAX_PIECES = 2_000
"""Pieces made of one text; what follows is part of the last one."""
_TAG_LEVEL, _LABEL_LEVEL = 100, 50
_BRACKETS = re.compile(r"\[[^\]]*+\]?|\([^)]*+\)?")
_CUE = re.compile(
    r"\s*(?:now,? )?(?:respond|reply|answer|begin|generate|output|return|use the following format)\b", re.I
)
_LISTS: frozenset[str] = frozenset({"format", "actions", "outputs", "contexts", "memory", "history"})
"""Kinds whose children are entries of the same kind, whatever they are called."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a text is to be outlined."""

    prose: Kind
    """Kind of prose."""
    unknown: Kind
    """Kind of a section whose name says nothing."""
    headings: bool = True
    labels: bool = True
    speaker: tuple[str, str] | None = None
    """Title and path segment of prose that somebody says; None: the prompt's author writes it."""
    tags: frozenset[Kind] | None = None
    """Kinds that tags may open sections of; None: of any, also of none that is known."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """The project's own names → kinds."""


@dataclass(slots=True)
class _Node:
    """A section in the making."""

    start: int
    level: int
    mark: Mark
    end: int = -1
    children: list["_Node"] = field(default_factory=list)


def outline(text: str, manner: Manner) -> tuple[tuple[Piece, ...], tuple[Mark, ...]]:
    """Top-level pieces of a text (none where it has no structure), and tags that seem left open."""
    marks = scan(text).marks
    nodes = _tree(text, _openers(text, marks, manner))
    return _pieces(text, nodes, manner), tuple(mark for mark in marks if is_left_open(text, mark))


def _pieces(text: str, nodes: list[_Node], manner: Manner) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    at = 0
    for index, node in enumerate(nodes):
        if node.start > at and not text[at : node.start].isspace():
            pieces.append(_prose(text, at, node.start, manner, first=not pieces))
        limit = nodes[index + 1].start if index + 1 < len(nodes) else len(text)
        piece = _piece(text, node, limit, None, manner)
        pieces.append(piece)
        at = piece.end
    if pieces and at < len(text) and not text[at:].isspace():
        pieces.append(_prose(text, at, len(text), manner, last=True))
    return tuple(pieces)


def _openers(text: str, marks: list[Mark], manner: Manner) -> list[_Node]:
    """What opens a section, in order, flat; tags come with their inner tags."""
    nodes: list[_Node] = []
    rules = _Rules(text)
    inside = 0
    for mark in marks:
        if mark.start < inside:
            if nodes and mark.sort == "tag":
                _add_inner(text, nodes[-1], mark, manner)
        elif len(nodes) >= MAX_PIECES:
            break
        elif mark.sort == "rule":
            rules.add(mark)
        else:
            level = _level(text, mark, manner)
            if level:
                nodes.append(
                    _Node(rules.above(text.rfind("\n", 0, mark.start) + 1), level, mark, mark.close_end)
                )
            if mark.close_end > 0 and (level or mark.sort != "tag" or holds_no_sections(mark.name)):
                inside = mark.close_end
                if not level:
                    nodes.append(_Node(mark.start, 0, mark))
    return [node for node in nodes if node.level]


class _Rules:
    """Rules (``---``) that stand right above what comes next: they belong to it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._start = self._end = -1

    def add(self, rule: Mark) -> None:
        """Notes a rule, as one of a run when there is only white space between."""
        self._start = self.above(rule.start)
        self._end = rule.end

    def above(self, start: int) -> int:
        """Where the rules right above a place begin, or the place itself."""
        stands = self._start >= 0 and not self._text[self._end : start].strip()
        return self._start if stands else start


def _level(text: str, mark: Mark, manner: Manner) -> int:
    """Level of the section that a mark opens, or 0."""
    if mark.sort == "tag" and _is_section(text, mark, manner):
        return _TAG_LEVEL
    if mark.sort == "heading" and manner.headings:
        own = own_kind(mark.name, manner.kinds)
        return 0 if own == "none" or not (own or not is_comment(text, mark)) else mark.level
    if mark.sort == "label" and manner.labels:
        kind = own_kind(mark.name, manner.kinds)
        if kind != "none" and (kind or _is_label(text, mark)):
            return _LABEL_LEVEL
    return 0


def _is_label(text: str, mark: Mark) -> bool:
    """Whether a label line opens a section: a ruled title, or words of a known kind."""
    if not text.startswith(mark.name, mark.start):
        return True
    return len(mark.name.split()) <= 4 and kind_of(mark.name) is not None and not is_usage(mark.name + ":")


def _is_section(text: str, mark: Mark, manner: Manner) -> bool:
    own = own_kind(mark.name, manner.kinds)
    if own or mark.close_start < 0 or is_code(mark.name):
        return bool(own) and own != "none" and mark.close_start >= 0
    kind = kind_of(mark.name)
    if manner.tags is not None and kind not in manner.tags:
        return False
    if kind is None and "\n" not in text[mark.end : mark.close_start]:
        return False
    return not is_shown(text, mark.start, answer=kind in (None, "format", "outputs"))


def _add_inner(text: str, node: _Node, mark: Mark, manner: Manner) -> None:
    """Takes a tag inside a tag for a child, if it is an entry: keyed, or with lines of its own."""
    if not node.level or is_example(node.mark.name) or mark.close_start < 0:
        return
    if node.children and mark.start < node.children[-1].end:
        return
    keyed = mark.attributes and key_of(attributes_of(mark.attributes))
    own = own_kind(mark.name, manner.kinds)
    if own == "none" or not (own or keyed or "\n" in text[mark.end : mark.close_start]):
        return
    if is_code(mark.name) or len(node.children) >= MAX_PIECES:
        return
    start = text.rfind("\n", 0, mark.start) + 1
    node.children.append(_Node(max(start, node.mark.end), _TAG_LEVEL, mark, mark.close_end))


def _tree(text: str, nodes: list[_Node]) -> list[_Node]:
    """Flat nodes put under their headings."""
    _flatten_title(nodes)
    roots: list[_Node] = []
    stack: list[_Node] = []
    for node in nodes:
        while stack and stack[-1].level >= node.level:
            _close(stack.pop(), node.start)
        if not stack:
            roots.append(node)
        elif len(stack) < MAX_DEPTH:
            stack[-1].children.append(node)
        if node.level < _TAG_LEVEL:
            stack.append(node)
    for node in stack:
        _close(node, len(text))
    return roots


def _flatten_title(nodes: list[_Node]) -> None:
    """A title over the whole text is a section beside the others, not their parent."""
    levels = [node.level for node in nodes if node.level < _LABEL_LEVEL]
    if len(levels) > 1 and nodes[0].level == levels[0] == min(levels) and levels.count(levels[0]) == 1:
        nodes[0].level = min(levels[1:])


def _close(node: _Node, end: int) -> None:
    node.end = end


def _piece(text: str, node: _Node, limit: int, parent: Kind | None, manner: Manner) -> Piece:
    """A node made a piece. Depth is bounded by MAX_DEPTH and so is this recursion."""
    inner = _only_tag(text, node)
    mark = inner.mark if inner else node.mark
    attributes = attributes_of(mark.attributes)
    kind = _kind(mark.name, node.mark.name, parent, manner)
    children = inner.children if inner else node.children
    is_tag = mark.sort == "tag"
    end = _end(text, node, limit) if node.level == _TAG_LEVEL else node.end
    return Piece(
        start=node.start,
        end=end,
        kind=kind,
        title=_title(node.mark, attributes),
        name=segment(mark.name, attributes) if is_tag else slug(mark.name),
        syntax=_syntax(node.mark),
        body_start=mark.end if is_tag else _after_line(text, mark.end),
        body_end=mark.close_start if is_tag else end,
        children=tuple(_piece(text, child, end, kind, manner) for child in children),
        attributes=attributes,
    )


def _kind(name: str, heading: str, parent: Kind | None, manner: Manner) -> Kind:
    own = own_kind(name, manner.kinds) or own_kind(heading, manner.kinds)
    if own and own != "none":
        return own
    if parent in _LISTS:
        return parent
    return kind_of(name) or kind_of(heading) or parent or manner.unknown


def _only_tag(text: str, node: _Node) -> _Node | None:
    """The tag that is all there is under a heading: the two are one section."""
    if node.level == _TAG_LEVEL or len(node.children) != 1 or node.children[0].level != _TAG_LEVEL:
        return None
    tag = node.children[0]
    before = text[node.mark.end : tag.mark.start]
    return tag if not before.strip() and not text[tag.mark.close_end : node.end].strip() else None


def _end(text: str, node: _Node, limit: int) -> int:
    """A tag's section ends with the line of its closing tag, or with the white space up to what is next."""
    end = node.mark.close_end
    line = text.find("\n", end, limit)
    if line >= 0 and not text[end:line].strip():
        end = line + 1
    return limit if text[end:limit].isspace() else end


def _prose(
    text: str, start: int, end: int, manner: Manner, *, first: bool = False, last: bool = False
) -> Piece:
    if manner.speaker:
        return Piece(start, end, manner.prose, *manner.speaker)
    if first:
        return Piece(start, end, manner.prose, "Introduction", "intro")
    kind: Kind = "format" if cues_answer(text, start) else manner.prose
    return Piece(start, end, kind, *(("Closing", "closing") if last else ("Text", "text")))


def cues_answer(text: str, start: int) -> bool:
    """Whether a paragraph begins by asking for the answer: ``Now respond …``."""
    return _CUE.match(text, start, start + 200) is not None


def _after_line(text: str, end: int) -> int:
    return end + 1 if text.startswith("\n", end) else end


def _syntax(mark: Mark) -> Syntax:
    return "label" if mark.sort == "label" else "heading" if mark.sort == "heading" else "tag"


def _title(mark: Mark, attributes: Mapping[str, str]) -> str:
    if mark.sort != "tag":
        return mark.name.strip("#*_ :") or mark.name
    return key_of(attributes) or words_of(mark.name).title()


def key_of(attributes: Mapping[str, str]) -> str:
    """What tells an entry from its like: ``chat:user123`` of a type and key, else a name or an id."""
    if attributes.get("type") and attributes.get("key"):
        return f"{attributes['type']}:{attributes['key']}"
    for name in ("name", "id", "key", "type", "title", "path", "file", "filePath"):
        if value := attributes.get(name):
            return value
    return ""


def segment(name: str, attributes: Mapping[str, str]) -> str:
    """A tag's part of a path: ``context[chat:user123]``."""
    key = key_of(attributes)
    return f"{name}[{key[:100]}]" if key else name


def slug(words: str) -> str:
    """A heading's part of a path: ``response-format-rules``. What stands in brackets often changes."""
    stable = _BRACKETS.sub("", words[:100]).strip() or words[:100]
    return re.sub(r"[^\w.]+", "-", stable.lower()).strip("-") or "section"
