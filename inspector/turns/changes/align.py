"""Which section of the old prompt became which of the new one.

Messages are matched first, then the sections in each pair of them, level by level. A pair with equal
digests ends its branch: nothing below it is looked at. What is left alone is sought by its text over
the whole prompt.
"""

from collections import defaultdict
from collections.abc import Sequence

from inspector.turns.changes.beside import has_beside
from inspector.turns.changes.pair import Pair, Texts, each
from inspector.turns.changes.siblings import match
from inspector.turns.changes.tree import Node, beside_of, messages_of
from inspector.turns.turn import ReadTurn

WORTH_FINDING = 24
"""Least code points of a section that is sought elsewhere in the prompt by its text."""


def align(old: ReadTurn, new: ReadTurn) -> list[Pair]:
    """The pairs of sections of two turns, in the new prompt's order, removed ones where they stood.

    Each root is a section of depth 0; ``children`` are filled below changed pairs only.
    """
    texts = Texts(old, new)
    messages = match(messages_of(old), messages_of(new), texts)
    _expand(messages, old, new, texts)
    roots = [child for message in _with_moves(messages) for child in message.children]
    roots = _found_elsewhere(roots)
    roots, found = _named_elsewhere(roots, texts)
    _expand(found, old, new, texts)
    return roots


def _expand(pairs: Sequence[Pair], old: ReadTurn, new: ReadTurn, texts: Texts) -> None:
    """Fills the children of pairs that differ, down to the innermost ones."""
    pending = list(pairs)
    while pending:
        pair = pending.pop()
        if pair.old is None or pair.new is None:
            pair.children = [Pair(child, None) for child in pair.old.children] if pair.old else []
            pair.children += [Pair(None, child) for child in pair.new.children] if pair.new else []
        elif not pair.same or pair.old.section is None:
            pair.children = match(pair.old.children, pair.new.children, texts)
            if pair.old.section is None and not pair.same:
                pair.children += _beside(pair.old, pair.new, old, new)
            _judge(pair, pair.old, pair.new, texts)
            pending += [
                child
                for child in pair.children
                if child.old and child.new and not child.same and not child.ends_differ
            ]


def _judge(pair: Pair, old: Node, new: Node, texts: Texts) -> None:
    """Says what of a pair that differs is its own, and what only stands behind its children."""
    if not pair.children:
        pair.own_differs = True
        return
    for child in pair.children:
        if child.old and child.new and not child.same:
            child.ends_differ = texts.differ_at_their_ends(child.old, child.new)
    own = _own_words(old, texts.old) != _own_words(new, texts.new)
    if any(child.change != "same" for child in pair.children):
        pair.own_differs = own
    elif not own and any(child.ends_differ for child in pair.children) and old.section is not None:
        pair.ends_differ = True
    else:
        pair.own_differs = True


def _beside(before: Node, after: Node, old: ReadTurn, new: ReadTurn) -> list[Pair]:
    """What two messages with text carry beside it, when that is not the same."""
    left, right = _beside_node(before, old), _beside_node(after, new)
    if left is None and right is None:
        return []
    pair = Pair(left, right, own_differs=True)
    return [] if pair.same else [pair]


def _beside_node(message: Node, read: ReadTurn) -> Node | None:
    if message.message >= len(read.turn.messages) or not has_beside(read.turn.messages[message.message]):
        return None
    listed = any(child.beside is not None for child in message.children)
    return None if listed else beside_of(message, read)


def _own_words(node: Node, texts: list[str]) -> list[str]:
    """The words of a section's text that its children do not cover."""
    if node.section is None or node.message >= len(texts):
        return []
    text, at, pieces = texts[node.message], node.section.start, []
    for child in node.children:
        if child.section is not None:
            pieces.append(text[at : child.section.start])
            at = child.section.end
    return "".join([*pieces, text[at : node.section.end]]).split()


def _with_moves(messages: list[Pair]) -> list[Pair]:
    """Messages as they are; a moved message moves its sections."""
    for message in messages:
        if message.moved:
            for child in message.children:
                child.moved = child.old is not None and child.new is not None
    return messages


def _found_elsewhere(roots: list[Pair]) -> list[Pair]:
    """Removed and added sections of one text, joined into a moved one."""
    removed: dict[object, list[Pair]] = defaultdict(list)
    for pair in each(roots):
        if pair.new is None and pair.old and pair.old.chars >= WORTH_FINDING:
            removed[pair.old.identity].append(pair)
    gone: set[int] = set()
    for pair in each(roots) if removed else ():
        if pair.old is None and pair.new and removed.get(pair.new.identity):
            source = removed[pair.new.identity].pop(0)
            gone.add(id(source))
            pair.old, pair.moved = source.old, True
    return _without(roots, gone) if gone else roots


def _named_elsewhere(roots: list[Pair], texts: Texts) -> tuple[list[Pair], list[Pair]]:
    """Sections that went to another message under their name, changed; and those pairs alone."""
    removed: dict[str, list[Pair]] = defaultdict(list)
    added: dict[str, list[Pair]] = defaultdict(list)
    for pair in roots:
        if pair.new is None and pair.old:
            removed[pair.old.base].append(pair)
        elif pair.old is None and pair.new:
            added[pair.new.base].append(pair)
    gone: set[int] = set()
    found: list[Pair] = []
    for name, olds in removed.items():
        news = added.get(name, [])
        if len(olds) != 1 or len(news) != 1:
            continue
        before, after = olds[0].old, news[0].new
        if before and after and texts.likeness(before, after) > 0:
            news[0].old, news[0].moved = before, True
            gone.add(id(olds[0]))
            found.append(news[0])
    return (_without(roots, gone) if gone else roots), found


def _without(roots: list[Pair], gone: set[int]) -> list[Pair]:
    for pair in each(roots):
        pair.children = [child for child in pair.children if id(child) not in gone]
    return [pair for pair in roots if id(pair) not in gone]
