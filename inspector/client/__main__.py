"""``python -m inspector.client post FILE``: post turns, one a line, from a file or from standard input."""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from inspector.client.delivery import TURN_PATH, Delivery, Parcel


def main(arguments: Sequence[str] | None = None) -> int:
    """0: every turn is on the server; 1: some were refused; 2: some could not be sent."""
    options = _parser().parse_args(arguments)
    if not options.url or not options.key:
        print(
            "Say where to and with which key: --url and --key, or INSPECTOR_URL and INSPECTOR_KEY.",
            file=sys.stderr,
        )
        return 2
    delivery = Delivery(options.url, options.key, options.timeout)
    try:
        if options.file == "-":
            return post(sys.stdin.buffer, delivery, options.batch)
        with open(options.file, "rb") as file:
            return post(file, delivery, options.batch)
    except OSError as error:
        print(f"{options.file}: {error.strerror}", file=sys.stderr)
        return 2
    finally:
        delivery.close()


def post(file: IO[bytes], delivery: Delivery, batch: int) -> int:
    """Post every line that isn't blank, and print what became of them."""
    counts: Counter[str] = Counter()
    for parcels in _batches(file, batch):
        answer = delivery.send(parcels)
        counts.update(answer.fates)
        if answer.reason:
            print(f"after {counts.total() - len(parcels)} turns: {answer.reason}", file=sys.stderr)
        if "later" in answer.fates:
            break
    print(f"{counts['kept']} kept, {counts['refused']} refused, {counts['later']} not sent")
    return 2 if counts["later"] else 1 if counts["refused"] else 0


def _batches(lines: Iterable[bytes], count: int) -> Iterator[list[Parcel]]:
    batch: list[Parcel] = []
    for line in lines:
        if line.strip():
            batch.append(Parcel(TURN_PATH, line.strip()))
        if len(batch) == count:
            yield batch
            batch = []
    if batch:
        yield batch


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m inspector.client", description="Post turns to Prompt Inspector."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("post", help="post turns, one JSON object a line")
    command.add_argument("file", help="a JSONL file, or - for standard input")
    command.add_argument(
        "--url", default=os.environ.get("INSPECTOR_URL"), help="the server, http://127.0.0.1:8000"
    )
    command.add_argument("--key", default=os.environ.get("INSPECTOR_KEY"), help="a key of the project")
    command.add_argument("--batch", type=int, default=50, help="turns a request")
    command.add_argument("--timeout", type=float, default=30.0, help="seconds to wait for an answer")
    return parser


if __name__ == "__main__":
    sys.exit(main())
