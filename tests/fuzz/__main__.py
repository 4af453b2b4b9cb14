"""Fuzzes all targets, or those named, one after another: ``python -m tests.fuzz [minutes] [target …]``."""

import re
import subprocess
import sys

from tests.fuzz.targets import TARGETS

_LAST = re.compile(r"^#(\d+)\s+DONE\s+cov: (\d+) .*?corp: (\d+)/", re.M)


def fuzz(name: str, minutes: float) -> int:
    """Fuzzes one target and prints what came of it. Number of faults."""
    command = [sys.executable, "-m", "tests.fuzz.run", name, str(int(minutes * 60))]
    said = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace", check=False).stderr
    faults = [line for line in said.splitlines() if line.startswith("FAULT")]
    if done := _LAST.search(said):
        print(
            f"{name:12} {int(done[1]):>9,} executions, {done[2]} edges covered by {done[3]} inputs",
            flush=True,
        )
    else:
        print(f"{name:12} ended early:\n{said[-2000:]}", flush=True)
    print("\n".join(faults), flush=True) if faults else None
    return len(faults) + (done is None)


def main(arguments: list[str]) -> int:
    """Exit status: 1 when a fault was found."""
    minutes = float(arguments[0]) if arguments else 1.0
    return 1 if sum(fuzz(name, minutes) for name in arguments[1:] or TARGETS) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
