"""Records: small on disk, exact when read, and never silently wrong."""

import hashlib
import json
import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.ingest import intake
from inspector.jobs import reading
from inspector.store import bases, recent, records, zstd
from inspector.store.errors import Damaged
from inspector.store.models import Base, Project, Record, Turn
from tests.store import made

pytestmark = pytest.mark.django_db


@pytest.mark.django_db(transaction=True)
def test_a_long_session_costs_what_is_new_and_reads_back_exactly() -> None:
    where = made.project()
    turns = made.run(where, 80)
    records.forget()
    bodies = made.bodies_of(turns)
    assert [records.record_of(turn) for turn in turns] == bodies
    stored = sum(len(bytes(data)) for data in Record.objects.values_list("data", flat=True))
    assert stored < sum(map(len, bodies)) / 25


def test_chains_end_at_the_limit() -> None:
    made.run(made.project(), 2 * records.MAX_CHAIN + 3)
    chains = list(Record.objects.order_by("pk").values_list("chain", flat=True))
    assert chains == [*range(32), *range(32), 0, 1, 2]
    assert not Record.objects.filter(chain=0).exclude(earlier=None).exists()


def test_chains_end_when_decoding_would_take_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_CHAIN_BYTES", 4_000)
    turns = made.run(made.project(), 20)
    records.forget()
    assert [records.record_of(turn) for turn in turns] == made.bodies_of(turns)
    assert max(Record.objects.values_list("chain", flat=True)) < 10


def test_reading_a_chain_takes_few_queries() -> None:
    last = made.run(made.project(), records.MAX_CHAIN)[-1]
    records.forget()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        records.record_of(last)
    # The row itself, its chain, and the base of the keyframe.
    assert len(queries) <= 3


@pytest.mark.django_db(transaction=True)
def test_many_records_of_many_chains_take_few_queries() -> None:
    where = made.project()
    turns = [turn for name in "abcdef" for turn in made.run(where, 8, session=name)]
    random.Random(1).shuffle(turns)
    records.forget()
    with CaptureQueriesContext(connection) as queries:
        found = records.records_of(turns)
    assert len(queries) <= 3
    assert all(hashlib.sha256(found[turn.pk]).digest() == bytes(turn.digest) for turn in turns)


def test_a_damaged_record_is_never_served() -> None:
    turns = made.run(made.project(), 5)
    broken = Record.objects.get(pk=turns[2].pk)
    broken.data = zstd.compress(b'{"prompt": "something else"}')
    broken.save()
    records.forget()
    assert records.record_of(turns[1]) == made.bodies_of(turns)[1]
    for turn in turns[2:]:
        with pytest.raises(Damaged):
            records.record_of(turn)


def test_a_record_that_is_gone_says_so() -> None:
    turn = made.turn(made.project())
    Record.objects.filter(pk=turn.pk).delete()
    records.forget()
    with pytest.raises(Damaged, match="gone"):
        records.record_of(turn)


def test_a_stale_memory_does_no_harm() -> None:
    one = made.turn(made.project(), session="s", prompt="first")
    recent.decoded_records.put(one.pk, recent.Decoded(b"x" * 32, b"rubbish"), 7)
    two = made.turn(Project.objects.get(), session="s", prompt="second")
    recent.latest_records.clear()
    assert records.record_of(one) == made.body(session="s", prompt="first")
    assert records.record_of(two) == made.body(session="s", prompt="second")


def test_turns_that_are_their_own_session_share_a_base_per_agent() -> None:
    where = made.project()
    for at in range(12):
        made.turn(where, agent="pilot", prompt=made.growing(40) + str(at))
        made.turn(where, agent="other", prompt=made.growing(40) + str(at))
    assert Base.objects.count() == 2
    assert max(len(bytes(data)) for data in Record.objects.values_list("data", flat=True)) < 100


@pytest.mark.django_db(transaction=True)
def test_one_batch_of_single_turns_starts_one_base() -> None:
    where = made.project()
    intake.record(where, [made.posted(made.body(prompt=made.growing(40) + str(at))) for at in range(20)])
    assert Base.objects.count() == 1


def test_a_base_that_stops_paying_is_replaced_after_some_patience() -> None:
    where = made.project()
    chance = random.Random(2)
    for _ in range(bases.PATIENCE * 3):
        noise = "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=2_000))
        made.turn(where, prompt=noise)
    assert 2 <= Base.objects.count() <= 4
    records.forget()
    for turn in Turn.objects.all():
        records.record_of(turn)


def test_nothing_is_shared_across_projects() -> None:
    for slug in ("one", "two"):
        made.turn(made.project(slug), id="same", session="same", agent="same")
    assert Base.objects.count() == 2
    for record in Record.objects.select_related("turn", "base"):
        assert record.base is not None
        assert record.base.project_id == record.turn.project_id
        assert record.earlier_id is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
ANY_TEXT = st.text(st.characters(exclude_categories=()))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=ANY_TEXT,
    metadata=JSON,
    extra=st.dictionaries(st.text("abcxyz\x00", min_size=1), JSON, max_size=3),
    ascii=st.booleans(),
    indent=st.sampled_from([None, 1]),
    session=st.sampled_from(["a", "b", "\x00", None]),
)
def test_any_accepted_body_comes_back(
    db: None,
    text: str,
    metadata: object,
    extra: dict[str, object],
    ascii: bool,
    indent: int | None,
    session: str | None,
) -> None:
    where, _ = Project.objects.get_or_create(slug="any", defaults={"name": "any"})
    payload = {**extra, "prompt": text, "metadata": metadata, "session": session}
    written = json.dumps(payload, ensure_ascii=ascii, indent=indent)
    data = written.encode("utf-8", "replace" if not ascii else "strict")
    outcome = intake.record(where, [made.posted(data)])[0]
    assert outcome.status == 201
    assert outcome.place is not None
    recent.decoded_records.clear()
    assert records.record_of(Turn.objects.get(pk=outcome.place.turn_id)) == data


@pytest.mark.parametrize(
    "data",
    [
        b'\xef\xbb\xbf{"prompt": "with a mark"}',
        b' \n{"prompt":\t"spaces"}\r\n ',
        b'{"prompt": "x", "metadata": {"a": 1, "a": 2}}',
        b'{"prompt": "\\u0000 \\ud83d \\uDE00"}',
        b'{"prompt": "x", "n": 18446744073709551616, "f": 1e400, "z": -0.0, "long": 0.1000000000000000055}',
        '{"prompt": "é漢😀\u2028\u202e"}'.encode(),
        b'{"prompt": "' + b"x" * 3_000_000 + b'"}',
        b'{"prompt": "' + b"n" * 20_000 + b'", "n": ' + b"9" * 5_000 + b"}",
    ],
    ids=["mark", "spaces", "twice", "escapes", "numbers", "unicode", "large", "long number"],
)
def test_odd_bytes_come_back_and_are_read(data: bytes) -> None:
    outcome = intake.record(made.project(), [made.posted(data)])[0]
    assert outcome.place is not None
    assert reading.read_due() == 1
    records.forget()
    row = Turn.objects.get(pk=outcome.place.turn_id)
    assert records.record_of(row) == data
    assert row.state == "read", row.problem
