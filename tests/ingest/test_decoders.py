"""Bodies of many turns: each one's bytes exactly as they were sent, and one's fault its own."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.ingest import decoders
from inspector.ingest.errors import Invalid, TooMany

VALUE = st.recursive(
    st.none()
    | st.integers()
    | st.text(st.characters(exclude_categories=()), max_size=8)
    | st.sampled_from('[]{},"\\'),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('[]{},"\\ab', max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
SPACE = st.text(" \t\r\n", max_size=3)


def test_one_turn_keeps_its_bytes() -> None:
    data = b' {"prompt":  "x"}\n'
    posted = decoders.turn(data)
    assert (posted.data, posted.payload) == (data, {"prompt": "x"})


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"null", b'{"prompt": NaN}', b"{", b'{"prompt": "\xff"}', b"\xff\xfe{\0}\0"]
)
def test_what_is_not_an_object_is_invalid(data: bytes) -> None:
    with pytest.raises(Invalid):
        decoders.turn(data)


@given(st.lists(st.tuples(SPACE, VALUE, SPACE), min_size=1, max_size=5))
def test_elements_of_an_array_are_cut_out_exactly(items: list[tuple[str, object, str]]) -> None:
    written = [json.dumps({"prompt": value}).encode() for _, value, _ in items]
    pieces = [
        before.encode() + piece + after.encode()
        for piece, (before, _, after) in zip(written, items, strict=True)
    ]
    posted = decoders.batch(b"\n[" + b",".join(pieces) + b"] ", "application/json")
    assert [one.data for one in posted] == written
    assert [one.payload for one in posted] == [{"prompt": value} for _, value, _ in items]


def test_lines_are_turns_and_blank_ones_are_not() -> None:
    data = b'{"prompt": "a"}\r\n\n  {"prompt": "b"} \n\t\n{"prompt": "c"}'
    posted = decoders.batch(data, "application/x-ndjson")
    assert [one.data for one in posted] == [b'{"prompt": "a"}', b'  {"prompt": "b"} ', b'{"prompt": "c"}']


@pytest.mark.parametrize("data", [b"", b" \n ", b"[]", b" [ ] "])
def test_nothing_is_an_empty_batch(data: bytes) -> None:
    assert decoders.batch(data) == []


def test_a_bad_element_is_its_own_affair() -> None:
    deep = b"[" * 5_000 + b"]" * 5_000
    data = b'[{"prompt": "a"}, 7, {"prompt": nonsense}, ' + deep + b', {"prompt": "b"}]'
    errors = [one.error for one in decoders.batch(data)]
    assert [error is None for error in errors] == [True, False, False, False, True]
    assert all(isinstance(error, Invalid) for error in errors if error is not None)


def test_a_bad_line_is_its_own_affair() -> None:
    posted = decoders.batch(b'{"prompt": "a"}\nnonsense\n{"prompt": "\xff"}\n{"prompt": "b"}')
    assert [one.error is None for one in posted] == [True, False, False, True]


@pytest.mark.parametrize(
    "data",
    [b"[", b"[1", b"[1,]", b"[,1]", b"[1,,2]", b"[1] 2", b"[1]]", b'["a', b"[{]}}", b"[1][2]", b'[1] "x"'],
)
def test_a_broken_array_is_refused_whole(data: bytes) -> None:
    try:
        posted = decoders.batch(data, "application/json")
    except Invalid:
        return
    # Brackets that cross can only be found out by reading the elements.
    assert data == b"[{]}}"
    assert all(one.error is not None for one in posted)


def test_what_is_over_the_limit_is_refused_item_by_item() -> None:
    data = b"\n".join(b'{"prompt": "%d"}' % number for number in range(decoders.MAX_ITEMS + 2))
    posted = decoders.batch(data)
    assert [one.error is None for one in posted] == [True] * decoders.MAX_ITEMS + [False] * 2
    assert isinstance(posted[-1].error, TooMany)
