"""Inputs that showed a fault: told apart by where they fail, made small, and kept as files."""

import hashlib
import time
import traceback
from collections.abc import Callable
from pathlib import Path

KEPT = Path(__file__).parent / "corpus"
"""One folder a target; ``test_crashes`` runs all of it."""
SLOW = 1.0
"""CPU seconds that an input of some KB must not take."""
Target = Callable[[bytes], None]


def fault_of(target: Target, data: bytes) -> str:
    """Where and how a target fails on an input; empty when it does not."""
    begun = time.process_time()
    try:
        target(data)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
        return (
            f"{type(error).__name__} at {place} {error if isinstance(error, AssertionError) else ''}".strip()
        )
    return "slow" if time.process_time() - begun > SLOW else ""


def is_sure(target: Target, data: bytes, fault: str) -> bool:
    """Whether an input fails in the same way again: what was slow once may only have been the first."""
    return fault_of(target, data) == fault


def keep(name: str, target: Target, data: bytes, fault: str) -> Path:
    """Writes the smallest input found that fails in the same way."""
    small = data if fault == "slow" else minimised(data, lambda part: fault_of(target, part) == fault)
    path = KEPT / name / hashlib.sha256(small).hexdigest()[:12]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(small)
    return path


def minimised(data: bytes, fails: Callable[[bytes], bool], tries: int = 2_000) -> bytes:
    """A shorter input that still fails: stretches are left out, ever shorter ones."""
    size = len(data) // 2
    while size:
        at = 0
        while at < len(data):
            shorter = data[:at] + data[at + size :]
            tries -= 1
            if tries < 0:
                return data
            if fails(shorter):
                data = shorter
            else:
                at += size
        size //= 2
    return data
