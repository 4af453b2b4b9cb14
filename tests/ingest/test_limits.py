"""Bodies are read whole or refused, and bombs never unfold."""

import gzip
import io
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.ingest.errors import BadEncoding, TooLarge, UnknownEncoding
from inspector.ingest.limits import read_body
from inspector.store import zstd as store_zstd

LIMIT = 1_000_000
TEXT = b'{"prompt": "' + b"tide " * 5_000 + b'"}'


def zstd(data: bytes) -> bytes:
    packed: bytes = store_zstd.codec.compress(data)
    return packed


def gz(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def name_of(value: object) -> str:
    return value if isinstance(value, str) else "data"


def read(data: bytes, encoding: str = "", limit: int = LIMIT, announced: int | None = None) -> bytes:
    return read_body(io.BytesIO(data), encoding=encoding, limit=limit, announced=announced)


@pytest.mark.parametrize("encoding", ["", "identity", " , identity"])
def test_a_plain_body_is_itself(encoding: str) -> None:
    assert read(TEXT, encoding) == TEXT


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("gzip", gz(TEXT)),
        ("x-gzip", gz(TEXT)),
        ("GZIP", gz(TEXT)),
        ("gzip", gz(TEXT[:99]) + gz(b"") + gz(TEXT[99:])),
        ("zstd", zstd(TEXT)),
        ("zstd", zstd(TEXT[:99]) + zstd(TEXT[99:])),
        ("gzip, zstd", zstd(gz(TEXT))),
        ("zstd, identity, gzip", gz(zstd(TEXT))),
    ],
    ids=name_of,
)
def test_compressed_bodies_come_out_whole(encoding: str, data: bytes) -> None:
    assert read(data, encoding) == TEXT


@given(st.binary(max_size=3_000), st.sampled_from(["gzip", "zstd"]))
def test_any_bytes_come_out_whole(data: bytes, encoding: str) -> None:
    packed = gz(data) if encoding == "gzip" else zstd(data)
    assert read(packed, encoding) == data


@given(st.data(), st.sampled_from(["gzip", "zstd"]))
def test_a_stream_that_is_cut_anywhere_is_refused(data: st.DataObject, encoding: str) -> None:
    packed = gz(TEXT) if encoding == "gzip" else zstd(TEXT)
    cut = data.draw(st.integers(0, len(packed) - 1))
    with pytest.raises(BadEncoding):
        read(packed[:cut], encoding)


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("gzip", gz(TEXT) + b"rubbish"),
        ("gzip", b"plain"),
        ("gzip", zlib.compress(TEXT)),
        ("gzip", gz(TEXT)[:-4] + b"\0\0\0\0"),
        ("zstd", zstd(TEXT) + b"rubbish"),
        ("zstd", b"plain"),
        ("gzip, zstd", gz(zstd(TEXT))),
    ],
    ids=name_of,
)
def test_broken_streams_are_refused(encoding: str, data: bytes) -> None:
    with pytest.raises(BadEncoding):
        read(data, encoding)


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip, br", "gzip;q=1", "\x00", "gzip,gzip,gzip,gzip"])
def test_unknown_encodings_are_refused(encoding: str) -> None:
    with pytest.raises(UnknownEncoding):
        read(TEXT, encoding)


@pytest.mark.parametrize("size", [LIMIT - 1, LIMIT])
@pytest.mark.parametrize("encoding", ["", "gzip", "zstd"])
def test_bodies_up_to_the_limit_are_taken(size: int, encoding: str) -> None:
    data = b"x" * size
    packed = {"": data, "gzip": gz(data), "zstd": zstd(data)}[encoding]
    assert len(read(packed, encoding)) == size


@pytest.mark.parametrize("encoding", ["", "gzip", "zstd"])
def test_one_byte_more_is_too_large(encoding: str) -> None:
    data = b"x" * (LIMIT + 1)
    packed = {"": data, "gzip": gz(data), "zstd": zstd(data)}[encoding]
    with pytest.raises(TooLarge) as refused:
        read(packed, encoding)
    assert refused.value.limit == LIMIT
    assert refused.value.actual > LIMIT


def test_a_body_that_announces_too_much_is_refused_unread() -> None:
    source = io.BytesIO(TEXT)
    with pytest.raises(TooLarge) as refused:
        read_body(source, limit=100, announced=12_345)
    assert refused.value.actual == 12_345
    assert source.tell() == 0


@pytest.mark.parametrize("encoding", ["gzip", "zstd", "gzip, gzip", "zstd, zstd"])
def test_a_bomb_is_stopped_while_it_unfolds(encoding: str) -> None:
    bomb = b"\0" * 80_000_000
    for name in encoding.split(", "):
        bomb = gz(bomb) if name == "gzip" else zstd(bomb)
    tracemalloc.start()
    with pytest.raises(TooLarge):
        read(bomb, encoding)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * LIMIT
