"""Many threads' work done together: everybody's, once, and each answered for itself."""

import threading
import time
from collections.abc import Callable

import pytest
from django.db import connection

from inspector.ingest.gathering import Gathering
from inspector.ingest.writing import write
from inspector.store.models import Session, Turn
from tests.store import made


class Full(Exception):
    """Concerns all that wait."""


def at_once(count: int, work: Callable[[int], None]) -> dict[int, str]:
    """What each of several threads raised, by number."""
    raised: dict[int, str] = {}

    def one(number: int) -> None:
        try:
            work(number)
        except Exception as error:
            raised[number] = f"{type(error).__name__} {error}"
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in threads)
    return raised


def gathering(work: Callable[[list[int]], None], leaders: int = 1, most: int = 100) -> Gathering[int]:
    """One for numbers, of which each has its own size."""
    return Gathering(work, leaders=leaders, most=most, size=1_000_000, shared=Full)


@pytest.mark.parametrize("leaders", [1, 3])
def test_everybody_s_work_is_done_once_and_mostly_together(leaders: int) -> None:
    groups: list[list[int]] = []

    def work(numbers: list[int]) -> None:
        time.sleep(0.02)
        groups.append(numbers)

    together = gathering(work, leaders)
    assert at_once(40, lambda number: together.do(number, 1)) == {}
    assert sorted(number for group in groups for number in group) == list(range(40))
    assert len(groups) < 20
    assert together.leading == 0


def test_who_comes_alone_does_not_wait_for_company() -> None:
    groups: list[list[int]] = []
    together = gathering(groups.append)
    for number in range(3):
        together.do(number, 1)
    assert groups == [[0], [1], [2]]


def test_groups_are_bounded_by_number_and_by_size() -> None:
    groups: list[list[int]] = []

    def work(numbers: list[int]) -> None:
        time.sleep(0.02)
        groups.append(numbers)

    together = gathering(work, most=4)
    at_once(20, lambda number: together.do(number, 1))
    assert max(map(len, groups)) <= 4
    groups.clear()
    at_once(8, lambda number: together.do(number, 600_000))
    assert [len(group) for group in groups] == [1] * 8


def test_an_error_is_of_whoever_caused_it() -> None:
    done: list[int] = []

    def work(numbers: list[int]) -> None:
        time.sleep(0.02)
        if 7 in numbers:
            raise ValueError("seven")
        done.extend(numbers)

    together = gathering(work)
    assert at_once(12, lambda number: together.do(number, 1)) == {7: "ValueError seven"}
    assert sorted(done) == [number for number in range(12) if number != 7]


def test_an_error_that_concerns_all_is_told_to_all_and_tried_once() -> None:
    tried: list[list[int]] = []

    def work(numbers: list[int]) -> None:
        time.sleep(0.02)
        tried.append(numbers)
        raise Full("no room")

    together = gathering(work)
    assert at_once(12, lambda number: together.do(number, 1)) == dict.fromkeys(range(12), "Full no room")
    assert sum(map(len, tried)) == 12
    together.work = lambda numbers: None
    together.do(1, 1)


@pytest.mark.django_db(transaction=True)
def test_posts_of_many_at_once_share_transactions_and_each_gets_its_own_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = made.project(), made.project()
    sizes: list[int] = []

    def counted(project_id: int, items: list[object]) -> None:
        sizes.append(len(items))
        time.sleep(0.01)
        write(project_id, items)  # type: ignore[arg-type]

    monkeypatch.setattr("inspector.ingest.intake.write", counted)
    placed: dict[int, tuple[str, int]] = {}

    def post(number: int) -> None:
        outcome = made.post((first, second)[number % 2], id=f"t{number}", session=f"s{number % 5}")
        assert outcome.status == 201
        assert outcome.place is not None
        placed[number] = (outcome.place.session_id, outcome.place.seq)

    assert at_once(40, post) == {}
    rows = Turn.objects.select_related("session")
    assert placed == {int(row.key[1:]): (row.session.short_id, row.seq) for row in rows}
    assert Turn.objects.filter(project=first).count() == 20
    assert [session.last_seq for session in Session.objects.all()] == [4] * 10
    assert sum(sizes) == 40
    assert max(sizes) > 1
