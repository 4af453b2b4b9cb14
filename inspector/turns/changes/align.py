"""Which section of the old prompt became which of the new one.

Siblings are matched in three passes: the same text in the same order, the same name, then likeness
inside the gaps that are left; what is still alone is sought by its text over the whole prompt. A
pair with equal digests ends its branch: nothing below it is looked at.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from inspector.turns.changes.change import ChangeName
from inspector.turns.changes.sequence import Budget, increasing, runs
from inspector.turns.changes.tree import Node, calls_of, messages_of
from inspector.turns.turn import ReadTurn

LIKE = 55.0
"""Least likeness, 0 to 100, of two texts that are taken for versions of one section."""
OTHER_NAME = 75.0
"""Least likeness of two sections under different names."""
SAME_NAME = 10.0
"""What the same name adds to a likeness."""
REACH = 8
"""How far apart two unmatched siblings may stand that are compared by their text."""
LOOKED_AT = 2_000
"""Code points of each text that likeness looks at."""
GUESSES = 400
"""Most pairs of texts that likeness looks at in one comparison."""
WORTH_FINDING = 24
"""Least code points of a section that is sought elsewhere in the prompt by its text."""


@dataclass(slots=True, eq=False)
class Pair:
    """An old section and what became of it; one side is None when it was added or removed."""

    old: Node | None
    new: Node | None
    moved: bool = False
    renamed: bool = False
    own_differs: bool = False
    """Text of the section that no section below it covers differs."""
    children: list["Pair"] = field(default_factory=list)

    @property
    def same(self) -> bool:
        """Both sides hold the same text."""
        return self.old is not None and self.new is not None and self.old.identity == self.new.identity

    @property
    def change(self) -> ChangeName:
        """What became of the section, in one word."""
        if self.old is None:
            return "added"
        if self.new is None:
            return "removed"
        if self.moved and self.same:
            return "moved"
        if self.renamed:
            return "renamed"
        return "same" if self.same else "changed"


def align(old: ReadTurn, new: ReadTurn) -> list[Pair]:
    """The pairs of sections of two turns, in the new prompt's order, removed ones where they stood.

    Each root is a section of depth 0; ``children`` are filled below changed pairs only.
    """
    texts = Texts(old, new)
    messages = _match(messages_of(old), messages_of(new), texts)
    pending = list(messages)
    while pending:
        pair = pending.pop()
        if pair.old is None or pair.new is None:
            pair.children = [Pair(child, None) for child in pair.old.children] if pair.old else []
            pair.children += [Pair(None, child) for child in pair.new.children] if pair.new else []
        elif not pair.same or pair.old.section is None:
            pair.children = _match(pair.old.children, pair.new.children, texts)
            if pair.old.section is None and not pair.same:
                pair.children += _other_calls(pair.old, pair.new, old, new)
            pair.own_differs = _own_differs(pair.old, pair.new, pair.children, texts)
            pending += [child for child in pair.children if child.old and child.new and not child.same]
    roots = [child for message in _ordered(messages) for child in message.children]
    return _found_elsewhere(roots)


def _other_calls(before: Node, after: Node, old: ReadTurn, new: ReadTurn) -> list[Pair]:
    """The calls of a message with text, when they are not those that it made before."""
    sides: list[Node | None] = []
    for node, read in ((before, old), (after, new)):
        calls = node.message < len(read.turn.messages) and read.turn.messages[node.message].calls
        alone = any(child.beside is not None for child in node.children)
        sides.append(calls_of(node, read) if calls and not alone else None)
    left, right = sides
    if left is None and right is None:
        return []
    pair = Pair(left, right, own_differs=True)
    return [] if pair.same else [pair]


def each(roots: Sequence[Pair]) -> Iterator[Pair]:
    """All pairs, parents before children, in order."""
    pending = list(reversed(roots))
    while pending:
        pair = pending.pop()
        yield pair
        pending += reversed(pair.children)


class Texts:
    """The texts of two turns, and how often they may still be compared."""

    def __init__(self, old: ReadTurn, new: ReadTurn) -> None:
        self.old = [message.text for message in old.turn.messages]
        self.new = [message.text for message in new.turn.messages]
        self.guesses = GUESSES

    def likeness(self, old: Node, new: Node) -> float:
        """How like two nodes' texts are, 0 to 100; 0 when it may not be asked any more."""
        if self.guesses <= 0 or old.message >= len(self.old) or new.message >= len(self.new):
            return 0.0
        self.guesses -= 1
        a, b = _cut(old, self.old), _cut(new, self.new)
        if min(len(a), len(b)) * 8 < max(len(a), len(b)):
            return 0.0
        return fuzz.ratio(a, b, score_cutoff=LIKE)


def _own_differs(old: Node, new: Node, children: list[Pair], texts: Texts) -> bool:
    """Whether more changed than the sections below; the space between those does not count."""
    if all(child.same and not child.moved for child in children):
        return True
    return _own_words(old, texts.old) != _own_words(new, texts.new)


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


def _cut(node: Node, texts: list[str]) -> str:
    if node.beside is not None:
        return node.beside[:LOOKED_AT]
    text = texts[node.message]
    if node.section is None:
        return text[:LOOKED_AT]
    return text[node.section.start : min(node.section.end, node.section.start + LOOKED_AT)]


# ---------------------------------------------------------------- one level of siblings


def _match(olds: list[Node], news: list[Node], texts: Texts) -> list[Pair]:
    """Pairs of two lists of siblings, in the new order with removed ones where they stood."""
    partner = _by_text_in_order(olds, news)
    _by_name(olds, news, partner)
    _by_likeness(olds, news, partner, texts)
    _by_text(olds, news, partner)
    pairs = [Pair(olds[at], news[there]) for at, there in partner.items()]
    _mark_moved(pairs, olds, news)
    taken = set(partner.values())
    pairs += [Pair(node, None) for at, node in enumerate(olds) if at not in partner]
    pairs += [Pair(None, node) for there, node in enumerate(news) if there not in taken]
    return _in_order(pairs, olds, news)


def _by_text_in_order(olds: list[Node], news: list[Node]) -> dict[int, int]:
    numbers: dict[object, int] = {}
    left = [numbers.setdefault((node.base, node.identity), len(numbers)) for node in olds]
    right = [numbers.setdefault((node.base, node.identity), len(numbers)) for node in news]
    return {run.old + step: run.new + step for run in runs(left, right, Budget()) for step in range(run.size)}


def _by_name(olds: list[Node], news: list[Node], partner: dict[int, int]) -> None:
    """Sections whose name stands once on either side; a message's role names nothing."""
    if any(node.section is None for node in (*olds[:1], *news[:1])):
        return
    taken = set(partner.values())
    left = Counter(node.base for node in olds)
    right = Counter(node.base for node in news)
    by_base = {node.base: there for there, node in enumerate(news) if there not in taken}
    for at, node in enumerate(olds):
        if at not in partner and left[node.base] == 1 == right[node.base] and node.base in by_base:
            partner[at] = by_base[node.base]


def _by_likeness(olds: list[Node], news: list[Node], partner: dict[int, int], texts: Texts) -> None:
    """What is left between two matched neighbours: the same name first, then any like text."""
    for left, right in _gaps(len(olds), len(news), partner):
        if len(left) == 1 == len(right) and olds[left[0]].base == news[right[0]].base:
            before, after = olds[left[0]], news[right[0]]
            if _share_names(before, after) or texts.likeness(before, after) > 0:
                partner[left[0]] = right[0]
            continue
        _closest(olds, news, left, right, partner, texts)


def _share_names(before: Node, after: Node) -> bool:
    """Two messages hold sections of one name, other than that of their role."""
    names = {child.base for child in before.children} & {child.base for child in after.children}
    return bool(names - {before.base, after.base, "calls"})


def _closest(
    olds: list[Node],
    news: list[Node],
    left: list[int],
    right: list[int],
    partner: dict[int, int],
    texts: Texts,
) -> None:
    """Pairs what is most alike; as many on either side are tried one by one first."""
    if len(left) == len(right):
        for at, there in zip(left, right, strict=True):
            if olds[at].base == news[there].base and texts.likeness(olds[at], news[there]) > 0:
                partner[at] = there
    taken = set(partner.values())
    left = [at for at in left if at not in partner]
    right = [there for there in right if there not in taken]
    scored: list[tuple[float, int, int]] = []
    for place, at in enumerate(left):
        if texts.guesses <= 0:
            break
        for there in right[max(0, place - REACH) : place + REACH + 1]:
            score = _score(olds[at], news[there], texts)
            if score > 0:
                scored.append((score, -at, there))
    for _, negative, there in sorted(scored, reverse=True):
        if -negative not in partner and there not in taken:
            partner[-negative] = there
            taken.add(there)


def _score(old: Node, new: Node, texts: Texts) -> float:
    """How well two nodes go together; another name asks for more, another role can't be."""
    if old.base == new.base:
        likeness = texts.likeness(old, new)
        return likeness + SAME_NAME if likeness else 0.0
    likeness = texts.likeness(old, new) if old.section is not None else 0.0
    return likeness if likeness > OTHER_NAME else 0.0


def _by_text(olds: list[Node], news: list[Node], partner: dict[int, int]) -> None:
    """The same text that stands at another place, under the same name or another."""
    taken = set(partner.values())
    waiting: dict[object, list[int]] = defaultdict(list)
    for there in range(len(news) - 1, -1, -1):
        if there not in taken:
            waiting[news[there].identity].append(there)
    for at, node in enumerate(olds):
        if at not in partner and waiting.get(node.identity):
            partner[at] = waiting[node.identity].pop()


def _gaps(old_size: int, new_size: int, partner: dict[int, int]) -> Iterator[tuple[list[int], list[int]]]:
    """Unmatched places between two neighbours that are matched in order."""
    places = sorted(partner.items())
    chain = [places[index] for index in increasing([there for _, there in places])]
    taken = set(partner.values())
    low = new_low = 0
    for at, there in [*chain, (old_size, new_size)]:
        left = [place for place in range(low, at) if place not in partner]
        right = [place for place in range(new_low, there) if place not in taken]
        if left and right:
            yield left, right
        low, new_low = at + 1, there + 1


def _mark_moved(pairs: list[Pair], olds: list[Node], news: list[Node]) -> None:
    """Pairs that do not keep the order of the others moved; the least number of them."""
    place = {id(node): at for at, node in enumerate(olds)}
    spot = {id(node): there for there, node in enumerate(news)}
    pairs.sort(key=lambda pair: spot[id(pair.new)])
    kept = set(increasing([place[id(pair.old)] for pair in pairs]))
    for index, pair in enumerate(pairs):
        pair.moved = index not in kept
        pair.renamed = bool(pair.old and pair.new and pair.old.base != pair.new.base)


def _in_order(pairs: list[Pair], olds: list[Node], news: list[Node]) -> list[Pair]:
    """New order; a removed one follows what it followed in the old prompt."""
    by_new = {id(pair.new): pair for pair in pairs if pair.new}
    by_old = {id(pair.old): pair for pair in pairs if pair.old}
    after: dict[int | None, list[Pair]] = defaultdict(list)
    anchor: int | None = None
    for node in olds:
        pair = by_old[id(node)]
        if pair.new is None:
            after[anchor].append(pair)
        elif not pair.moved:
            anchor = id(pair.new)
    ordered = list(after[None])
    for node in news:
        ordered.append(by_new[id(node)])
        ordered += after.get(id(node), ())
    return ordered


# ---------------------------------------------------------------- over the whole prompt


def _ordered(messages: list[Pair]) -> list[Pair]:
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


def _without(roots: list[Pair], gone: set[int]) -> list[Pair]:
    for pair in each(roots):
        pair.children = [child for child in pair.children if id(child) not in gone]
    return [pair for pair in roots if id(pair) not in gone]
