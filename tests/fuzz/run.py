"""Fuzzes one target in this process: ``python -m tests.fuzz.run target seconds [libFuzzer's options]``.

Needs atheris, which has wheels for Linux on x86-64. An input that shows a fault is made small and kept in
``tests/fuzz/corpus``; fuzzing goes on, and further inputs that fail at the same place are passed over.
"""

import random
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["inspector.turns"]):
    from tests.fuzz.targets import TARGETS

from inspector.turns.tokens import count
from tests.fuzz.crashes import fault_of, is_sure, keep
from tests.fuzz.mutation import mutated_json
from tests.fuzz.seeds import MAX_LENGTH, dictionary, seeds

WORK = Path("var/fuzz")
"""What fuzzing found interesting, kept for the next time; not part of the repository."""


def prepared(name: str) -> list[str]:
    """Folder of inputs, with the seeds in it, and the dictionary, as libFuzzer's options."""
    folder = WORK / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(name)):
        (folder / f"seed-{number}").write_bytes(seed[: MAX_LENGTH[name]] if name != "record" else seed)
    words = WORK / "words.txt"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in dictionary()))
    return [str(folder), f"-dict={words}", f"-max_len={MAX_LENGTH[name]}"]


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


def main(name: str, seconds: str, *options: str) -> None:
    """Never returns: libFuzzer ends the process."""
    target = TARGETS[name]
    count("The vocabulary is loaded at the first count.")
    seen: set[str] = set()

    def once(data: bytes) -> None:
        fault = fault_of(target, data)
        if fault and fault not in seen and is_sure(target, data, fault):
            seen.add(fault)
            print(f"FAULT {name}: {fault} → {keep(name, target, data, fault)}", file=sys.stderr, flush=True)

    def mutator(data: bytes, max_size: int, seed: int) -> bytes:
        chance = random.Random(seed)
        structured = mutated_json(data, chance) if chance.random() < 0.7 else None
        return structured[:max_size] if structured else atheris.Mutate(data, max_size)

    arguments = [sys.argv[0], *prepared(name), f"-max_total_time={seconds}", "-timeout=60", *options]
    atheris.Setup(arguments, once, custom_mutator=mutator if name == "record" else None)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
