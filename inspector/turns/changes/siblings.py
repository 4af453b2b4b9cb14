"""Which of two lists of siblings belong together.

Three passes: the same text in the same order, the same name, then likeness inside the gaps that are
left; what is still alone is sought by its text among all siblings.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator

from inspector.turns.changes.pair import Pair, Texts
from inspector.turns.changes.sequence import Budget, increasing, runs
from inspector.turns.changes.tree import BESIDE, Node

OTHER_NAME = 75.0
"""Least likeness of two sections under different names."""
OTHER_KEY = 97.0
"""The same when both names have a key: actions and contexts are much alike without being the same."""
SAME_NAME = 10.0
"""What the same name adds to a likeness."""
FEW_NAMES = 0.2
"""Share of common names from which on two messages are taken for versions of each other."""
REACH = 8
"""How far apart two unmatched siblings may stand that are compared by their text."""


def match(olds: list[Node], news: list[Node], texts: Texts) -> list[Pair]:
    """Pairs of two lists of siblings, in the new order with removed ones where they stood."""
    if len(olds) == 1 == len(news) and olds[0].section and news[0].section and olds[0].base == news[0].base:
        return [Pair(olds[0], news[0])]
    if texts.backwards:
        partner = {at: there for there, at in _partners(news, olds, texts).items()}
    else:
        partner = _partners(olds, news, texts)
    pairs = [Pair(olds[at], news[there]) for at, there in partner.items()]
    _mark_moved(pairs, olds, news, texts.backwards)
    taken = set(partner.values())
    pairs += [Pair(node, None) for at, node in enumerate(olds) if at not in partner]
    pairs += [Pair(None, node) for there, node in enumerate(news) if there not in taken]
    return _in_order(pairs, olds, news)


def _partners(olds: list[Node], news: list[Node], texts: Texts) -> dict[int, int]:
    """Places of the siblings that belong together."""
    partner = _by_text_in_order(olds, news)
    _by_name(olds, news, partner)
    _by_likeness(olds, news, partner, texts)
    _by_text(olds, news, partner)
    return partner


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
            if _shared_names(before, after) > 0 or texts.fit(before, after) > 0:
                partner[left[0]] = right[0]
            continue
        _closest(olds, news, left, right, partner, texts)


def _shared_names(before: Node, after: Node) -> float:
    """How many of two messages' sections have one name, 0 to 1; names of their role do not count."""
    olds, news = {child.base for child in before.children}, {child.base for child in after.children}
    shared = (olds & news) - {before.base, after.base, BESIDE}
    return len(shared) / max(len(olds), len(news), 1)


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
            if olds[at].base == news[there].base and texts.fit(olds[at], news[there]) > 0:
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
    if old.base != new.base:
        likeness = texts.fit(old, new) if old.section is not None else 0.0
        keyed = old.base.endswith("]") and new.base.endswith("]")
        return likeness if likeness > (OTHER_KEY if keyed else OTHER_NAME) else 0.0
    named = _shared_names(old, new) if old.section is None else 0.0
    likeness = max(texts.fit(old, new), 100 * named if named > FEW_NAMES else 0.0)
    return likeness + SAME_NAME if likeness else 0.0


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


def _mark_moved(pairs: list[Pair], olds: list[Node], news: list[Node], backwards: bool) -> None:
    """Pairs that do not keep the order of the others moved; the least number of them."""
    place = {id(node): at for at, node in enumerate(olds)}
    spot = {id(node): there for there, node in enumerate(news)}
    places = [(place[id(pair.old)], spot[id(pair.new)]) for pair in pairs]
    order = sorted(range(len(pairs)), key=lambda index: places[index][0 if backwards else 1])
    kept = increasing([places[index][1 if backwards else 0] for index in order])
    for pair in pairs:
        pair.moved = True
        pair.renamed = bool(pair.old and pair.new and pair.old.base != pair.new.base)
    for index in kept:
        pairs[order[index]].moved = False


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
