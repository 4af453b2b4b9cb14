"""New text cut into rows of the index."""

import json
import random

import pytest

from inspector.store.terms.chunks import MAX_ROWS, chunks_of, unpacked
from inspector.store.terms.stretches import Stretch


def words(size: int) -> str:
    made = random.Random(1)
    return " ".join(f"wörd{made.randrange(9999)}" for _ in range(size // 8))


@pytest.mark.parametrize("ascii_record", [True, False])
@pytest.mark.parametrize("size", [10, 40_000, 1_000_000])
def test_rows_hold_the_text_whatever_the_record_escapes(size: int, ascii_record: bool) -> None:
    text = words(size) + "\ud83d\x00\n" + "<" * size
    record = json.dumps({"prompt": text}, ensure_ascii=ascii_record).encode("utf-8", "surrogatepass")
    chunks = chunks_of([Stretch("prompt", "a", 1, text), Stretch("response", None, 1, "done")], record)
    found = [one for chunk in chunks for one in unpacked(chunk.data, record)]
    assert "".join(one.text for one in found if one.part == "prompt") == text
    assert found[-1] == Stretch("response", None, 1, "done")


def test_text_that_the_record_does_not_have_is_kept_all_the_same() -> None:
    record = b"x" * 100_000
    chunks = chunks_of([Stretch("prompt", None, 3, "elsewhere")], record)
    assert unpacked(chunks[0].data, record) == [Stretch("prompt", None, 3, "elsewhere")]


def test_rows_of_a_large_turn_cost_little_beside_its_record() -> None:
    text = words(1_000_000)
    record = json.dumps({"prompt": text}).encode()
    assert sum(len(chunk.data) for chunk in chunks_of([Stretch("prompt", "a", 1, text)], record)) < 50_000


def test_lines_are_counted_over_slices() -> None:
    text = "\n".join(f"line {number}" for number in range(1, 5_001))
    record = json.dumps({"prompt": text}).encode()
    last = unpacked(chunks_of([Stretch("prompt", "a", 1, text)], record)[-1].data, record)[-1]
    assert f"line {last.line}".endswith(last.text.split("\n")[0])


def test_a_huge_turn_has_a_bounded_number_of_rows() -> None:
    text = "a" * 20_000_000
    chunks = chunks_of([Stretch("prompt", "a", 1, text)], json.dumps({"prompt": text}).encode())
    assert len(chunks) == MAX_ROWS
