"""Prints how long hostile texts take to read, and how that grows: ``python -m tests.bench.hostile [name …]``.

Every maker of ``tests/turns/hostile.py`` is read whole in sizes of 125 KB to 1 MB: as the prompt of a first
turn, as that of the next turn of its session, and as a response against offers in each grammar.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import log2

from inspector.turns import ReadTurn, read_turn
from inspector.turns.turn import Message, NativeCall, ResponseBody, Tool, Turn
from tests.bench.figures import cpu_ms, line
from tests.turns.bombs import BOMBS
from tests.turns.hostile import HOSTILE, RESPONSES
from tests.turns.responses.reading import CONTRACT

SIZES = (125_000, 250_000, 500_000, 1_000_000)
ENDS = (SIZES[0], SIZES[-1])
"""Enough for the geometric mean of the doublings between them."""
GRAMMARS = ("daydreams", "generic", "autogpt", "react", "cline", "swe-agent", "hive")
"""Dialects whose answers are read by different grammars."""
TOOLS = tuple(Tool(offer.name, offer.description, offer.schema) for offer in CONTRACT.actions)
Maker = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Cost:
    """What one hostile text costs."""

    name: str
    ms: float
    """CPU milliseconds for the largest size."""
    growth: float
    """Geometric mean of the ratios by which it grows when the size doubles."""
    steepest: float
    """The largest of these ratios, between the sizes that were measured."""


def cost(name: str, work: Callable[[int], Callable[[], object]], sizes: Sequence[int]) -> Cost:
    """Times what ``work`` makes of each size."""
    times = [max(cpu_ms(work(size)), 0.5) for size in sizes]
    points = zip(times, sizes, strict=True)
    steps = [(after / before) ** (1 / log2(b / a)) for (before, a), (after, b) in pairwise(points)]
    return Cost(name, times[-1], (times[-1] / times[0]) ** (1 / log2(sizes[-1] / sizes[0])), max(steps))


def first_turn(make: Maker, size: int) -> Callable[[], object]:
    """Reading a text as a prompt."""
    turn = Turn(messages=(Message("user", make(size)),))
    return lambda: read_turn(turn)


def next_turn(make: Maker, size: int) -> Callable[[], object]:
    """Reading a text as the prompt of a turn whose session has shown it before, all but a letter."""
    text = make(size)
    old = Turn(messages=(Message("user", text),), id="a")
    new = Turn(messages=(Message("user", f"x{text}"),), id="b")
    earlier = (ReadTurn("a", 1, old, read_turn(old)),)
    return lambda: read_turn(new, earlier, id="b", seq=2)


def answer(make: Maker, dialect: str, size: int) -> Callable[[], object]:
    """Reading a text as a response."""
    body = ResponseBody(make(size))
    turn = Turn(messages=(Message("user", "go"),), response=body, tools=TOOLS, dialect=dialect)
    return lambda: read_turn(turn)


def slowest_grammar(make: Maker) -> str:
    """The dialect in which a response costs most."""
    return max(GRAMMARS, key=lambda dialect: cpu_ms(answer(make, dialect, SIZES[0]), times=1))


def prompt_costs(names: list[str], sizes: Sequence[int]) -> Iterator[Cost]:
    """Each prompt, as that of a first turn and, unless it shall go fast, of a next one."""
    for name in names:
        yield cost(name, partial(first_turn, HOSTILE[name]), sizes)
        if sizes is not ENDS:
            yield cost(f"{name}, next turn", partial(next_turn, HOSTILE[name]), sizes)


def response_costs(names: list[str], sizes: Sequence[int]) -> Iterator[Cost]:
    """Each response in the grammar in which it costs most."""
    for name in names:
        dialect = slowest_grammar(RESPONSES[name])
        yield cost(f"{name}, {dialect}", partial(answer, RESPONSES[name], dialect), sizes)


def bomb_costs() -> Iterator[tuple[str, float]]:
    """Each schema bomb with the value that sets it off."""
    for name, make in BOMBS.items():
        schema, value = make()
        body = ResponseBody("", calls=(NativeCall(None, "t", json.dumps(value)),))
        turn = Turn(messages=(Message("user", "go"),), tools=(Tool("t", None, schema),), response=body)
        yield name, cpu_ms(partial(read_turn, turn), times=1)


def report(title: str, costs: list[Cost], shown: int) -> None:
    """Prints the worst of all three figures, and the dearest ones."""
    dear = sorted(costs, key=lambda each: -each.ms)
    line(f"{title}: worst of {len(costs)} at 1 MB", f"{dear[0].ms:.0f} ms", "< 500 ms")
    line("  half of them take at most", f"{dear[len(dear) // 2].ms:.0f} ms")
    line(
        "  a doubling costs at most, geometric mean", f"×{max(each.growth for each in costs):.2f}", "<= ×2.2"
    )
    line("  one doubling costs at most", f"×{max(each.steepest for each in costs):.2f}", "<= ×3")
    for each in dear[:shown]:
        line(f"    {each.name}", f"{each.ms:.0f} ms", f"×{each.growth:.2f}, at most ×{each.steepest:.2f}")


def main(names: list[str], sizes: Sequence[int] = SIZES, shown: int = 1_000) -> None:
    """All makers, or those that are named, in some sizes; the dearest ones are shown."""
    read_turn(Turn(messages=(Message("user", "The vocabulary is loaded at the first count."),)))
    if prompts := [name for name in HOSTILE if not names or name in names]:
        report("hostile prompts", list(prompt_costs(prompts, sizes)), shown)
    if responses := [name for name in RESPONSES if not names or name in names]:
        report("hostile responses", list(response_costs(responses, sizes)), shown)
    if not names:
        bombs = sorted(bomb_costs(), key=lambda each: -each[1])
        line(f"schema bombs: worst of {len(bombs)}", f"{bombs[0][1]:.0f} ms", "< 1,000 ms")
        for name, ms in bombs[:shown]:
            line(f"    {name}", f"{ms:.0f} ms")


if __name__ == "__main__":
    main(sys.argv[1:])
