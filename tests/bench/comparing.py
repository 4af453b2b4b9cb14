"""Time and memory of comparisons, beside difflib and rapidfuzz: ``python -m tests.bench.comparing [peers]``.

Each figure is taken in a process of its own, which is ended after ``PATIENCE`` CPU seconds or at ``MEMORY``.
The peers compare lines, and words where there is but one line: only a part of what we answer.
"""

import difflib
import json
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rapidfuzz.distance import Indel, LCSseq

from inspector.turns import ReadTurn, read_turn
from inspector.turns.changes import compare
from inspector.turns.turn import Message, Turn
from tests.bench.pairs import PAIRS, Texts

PATIENCE = 20
"""CPU seconds that one comparison may take."""
MEMORY = 2_000_000_000
"""Bytes of address space that it may take."""
Work = Callable[[], object]


def ours(texts: Texts) -> Work:
    """The whole comparison of two turns that have been read: sections, lines, words, prefix, contract."""
    old, new = (_read(messages, str(seq), seq) for seq, messages in enumerate(texts))
    return lambda: compare(old, new)


def _read(messages: list[str], id: str, seq: int) -> ReadTurn:
    turn = Turn(messages=tuple(Message("user", text) for text in messages), id=id)
    return ReadTurn(id, seq, turn, read_turn(turn))


def unified(texts: Texts) -> Work:
    """What most Python programs call."""
    old, new = map(_pieces, texts)
    return lambda: list(difflib.unified_diff(old, new))


def matcher(texts: Texts) -> Work:
    """The same without its shortcut for frequent lines, which loses changes."""
    old, new = map(_pieces, texts)
    return lambda: difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()


def indel(texts: Texts) -> Work:
    """rapidfuzz's opcodes, bit-parallel."""
    old, new = map(_pieces, texts)
    return lambda: Indel.opcodes(old, new)


def lcs(texts: Texts) -> Work:
    """The same by its longest common subsequence."""
    old, new = map(_pieces, texts)
    return lambda: LCSseq.opcodes(old, new)


def _pieces(messages: list[str]) -> list[str]:
    """Lines, or words where there is one line."""
    lines = [line for text in messages for line in text.split("\n")]
    return lines if len(lines) > 1 else lines[0].split(" ")


METHODS: dict[str, Callable[[Texts], Work]] = {
    "ours": ours,
    "difflib.unified_diff": unified,
    "SequenceMatcher, no junk": matcher,
    "rapidfuzz Indel": indel,
    "rapidfuzz LCSseq": lcs,
}


def measured(pair: str, method: str) -> str:
    """Time and peak memory of one comparison, in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.comparing", "one", pair, method]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode == -signal.SIGXCPU:
        return f"> {PATIENCE} s"
    if run.returncode:
        return f"> {MEMORY / 1e9:.0f} GB" if "MemoryError" in run.stderr or run.returncode < 0 else "failed"
    seconds, memory, coarse = json.loads(run.stdout)
    return f"{seconds * 1000:,.0f} ms, {memory:,.0f} MB" + (", coarse" if coarse else "")


def one(pair: str, method: str) -> None:
    """Measures in this process and prints seconds, megabytes more than before, and whether it is coarse."""
    work = METHODS[method](PAIRS[pair]())
    spent = int(time.process_time()) + PATIENCE
    resource.setrlimit(resource.RLIMIT_CPU, (spent, spent + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    before = _memory("VmRSS")
    _forget_peak()
    begun = time.process_time()
    made = work()
    seconds = time.process_time() - begun
    print(json.dumps([seconds, _memory("VmHWM") - before, getattr(made, "coarse", False)]))


def _memory(name: str) -> float:
    """A figure of this process's memory in MB; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1000 for line in lines if line.startswith(name)), 0.0)


def _forget_peak() -> None:
    """Makes the peak count from here on."""
    forget = Path("/proc/self/clear_refs")
    if forget.exists():
        forget.write_text("5")


def report(*, peers: bool) -> None:
    """Prints a table: a line a pair, a column a method."""
    methods = list(METHODS) if peers else ["ours"]
    print("  | pair | " + " | ".join(methods) + " |")
    print("  | --- |" + " --- |" * len(methods))
    for pair in PAIRS:
        print(f"  | {pair} | " + " | ".join(measured(pair, method) for method in methods) + " |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        one(*sys.argv[2:])
    else:
        report(peers="peers" in sys.argv[1:])
