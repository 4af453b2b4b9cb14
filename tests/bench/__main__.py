"""Prints what a machine makes of a load in the shape of agents' turns, and of hostile texts: ``make bench``.

Nothing here passes or fails: figures depend on the machine, budgets stand beside them.
"""

import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import psycopg

from inspector.turns import ReadTurn, RecentMemo, read_payload, read_turn
from tests.bench import comparing, hostile
from tests.bench.figures import cpu_of, line, median_ms, memory_mb, post_all
from tests.bench.workload import Run, bodies
from tests.operations.databases import database
from tests.processes import Running, installation
from tests.visitor import Page, Visitor

SESSIONS = 16
"""Sessions of 50 turns of 22 to 50 KB that are posted to each database."""
CONTENT = ("inspector_record", "inspector_outline", "inspector_base")
"""Tables whose ``data`` is records and readings."""


def stored(running: Running, url: str) -> tuple[int, int]:
    """Bytes in the database: of records and readings, and of everything."""
    total = " + ".join(f"(SELECT COALESCE(SUM(LENGTH(data)), 0) FROM {table})" for table in CONTENT)
    if url:
        with psycopg.connect(url) as server:
            row = server.execute(f"SELECT {total}, pg_database_size(current_database())".encode()).fetchone()
            return (int(row[0]), int(row[1])) if row else (0, 0)
    lite = sqlite3.connect(running.home / "inspector.sqlite3")
    content = lite.execute(f"SELECT {total}").fetchone()[0]
    pages = lite.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()[
        0
    ]
    lite.close()
    return int(content), int(pages)


def wait_until_all_read(running: Running, last: list[str]) -> None:
    """Returns once the last turns of every session have been read."""
    running.wait_until_read(*last, seconds=600)


@contextmanager
def started(url: str) -> Iterator[Running]:
    """An installation on SQLite or on the Postgres at ``url``; how long it took and what it weighs."""
    with installation(**({"INSPECTOR_DATABASE_URL": url} if url else {})) as running:
        running.start()
        running.stop()
        begun = time.perf_counter()
        running.start()
        line("start to first answer", f"{time.perf_counter() - begun:.1f} s", "< 3 s")
        time.sleep(2)
        line("idle memory of all processes", f"{memory_mb(running):.0f} MB", "< 220 MB")
        yield running
        running.stop()


def posting(running: Running, url: str) -> None:
    """Posts and reads the load of small sessions."""
    empty = stored(running, url)
    load = bodies("S", SESSIONS)
    worker = running.children("manage.py worker")
    before, begun = cpu_of(worker), time.perf_counter()
    posted = post_all(running, load)
    line("posts, 8 clients", f"{posted.turns / posted.seconds:.0f}/s", f">= {400 if url else 600}/s")
    line(
        "  half / 95 % of them take at most",
        f"{posted.at(0.5):.1f} / {posted.at(0.95):.1f} ms",
        "95 %: < 40 ms",
    )
    line("  server CPU a post", f"{posted.server_cpu / posted.turns * 1000:.2f} ms", "<= 2 ms")
    line("  the clients' own CPU a post", f"{posted.client_cpu / posted.turns * 1000:.2f} ms")
    wait_until_all_read(running, [session[-1][0] for session in load])
    line("posted and read", f"{posted.turns / (time.perf_counter() - begun):.0f}/s")
    spent = (cpu_of(worker) - before) / posted.turns
    line("readings, by CPU of the one worker", f"{1 / max(spent, 1e-6):.0f}/s", ">= 200/s")
    content, everything = (after - was for after, was in zip(stored(running, url), empty, strict=True))
    sent = sum(len(body) for session in load for _, body in session)
    line("bytes a turn as posted", f"{sent / posted.turns:,.0f}")
    line("bytes a turn stored: record and reading", f"{content / posted.turns:,.0f}", "<= 2,500")
    line("bytes a turn stored: everything", f"{everything / posted.turns:,.0f}", "<= 6,000")


def pages(running: Running) -> None:
    """Times of pages, of prompts of 40 KB, 200 KB and 1 MB."""
    post_all(running, bodies("L", 1) + bodies("XL", 1))
    ends = {"S": "bench-S-0-49", "L": "bench-L-0-19", "XL": "bench-XL-0-4"}
    wait_until_all_read(running, list(ends.values()))
    visitor = Visitor(running.url)
    visitor.sign_in(running.sign_in_link())
    page_line(visitor, "page: sessions", "/p/first/", "< 50 ms")
    session = running.ask("GET", f"/api/v1/turns/{ends['S']}").json()["session_id"]
    page_line(visitor, "page: session of 50 turns", f"/p/first/s/{session}/", "")
    for size, words, budget in (("S", "50 KB", ""), ("L", "200 KB", "< 60 ms"), ("XL", "1 MB", "< 150 ms")):
        page_line(visitor, f"page: turn of {words}", f"/p/first/t/{ends[size]}/", budget)
    for size, words, budget in (("S", "50 KB", ""), ("L", "200 KB", "< 80 ms"), ("XL", "1 MB", "< 200 ms")):
        end = ends[size]
        old = f"{end.rpartition('-')[0]}-{int(end.rpartition('-')[2]) - 1}"
        page_line(visitor, f"page: comparison, {words}", f"/p/first/compare/{old}/{end}/", budget)
    for query in ("karan", "nothing-has-this"):
        page_line(visitor, f"page: search for {query}", f"/p/first/search/?q={query}", "< 150 ms")
    for size, words in (("S", "50 KB"), ("XL", "1 MB")):
        taken = median_ms(lambda size=size: running.ask("GET", f"/api/v1/turns/{ends[size]}"))  # type: ignore[misc]
        line(f"API: turn of {words}", f"{taken:.0f} ms")


def page_line(visitor: Visitor, name: str, path: str, budget: str) -> None:
    """Time and size of one page."""
    seen: list[Page] = []
    taken = median_ms(lambda: seen.append(visitor.get(path)))
    page = seen[-1]
    nodes = page.text.count("<") - page.text.count("</")
    facts = f"{taken:.0f} ms" if page.status == 200 else f"status {page.status}"
    line(name, facts, f"{budget:<10} {len(page.body) / 1000:.0f} KB, {nodes:,} nodes")


def reading() -> None:
    """Reading alone, in this process, by its CPU time."""
    read_turn(next(read_payload(turn) for turn in Run("S", 1).turns()))
    turns = [read_payload(turn) for turn in Run("S", 0).turns()]
    memo, earlier, begun = RecentMemo(), list[ReadTurn](), time.process_time()
    for seq, turn in enumerate(turns, 1):
        earlier.append(ReadTurn(str(turn.id), seq, turn, read_turn(turn, earlier[-1:], memo)))
    line(
        "reading 22 to 50 KB turns of a session, in memory",
        f"{len(turns) / (time.process_time() - begun):.0f}/s",
        ">= 200/s",
    )
    large = next(read_payload(turn) for turn in Run("XL", 0).turns())
    line(
        "reading one turn of 1 MB, the first of its session",
        f"{median_ms(lambda: read_turn(large), 3):.0f} ms",
        "< 400 ms",
    )


def sqlite() -> None:
    """An installation on SQLite."""
    with started("") as running:
        posting(running, "")
        pages(running)


def postgres() -> None:
    """An installation on PostgreSQL."""
    with database(os.environ["INSPECTOR_TEST_POSTGRES"]) as url, started(url) as running:
        posting(running, url)
        pages(running)


SECTIONS: dict[str, Callable[[], None]] = {
    "reading": reading,
    "hostile": partial(hostile.main, [], hostile.ENDS, 5),
    "comparing": partial(comparing.report, peers=False),
    "sqlite": sqlite,
    "postgres": postgres,
}
"""What ``make bench`` prints, by name; ``make bench ONLY=reading`` prints that alone."""
LONGER: dict[str, Callable[[], None]] = {
    "every-hostile": partial(hostile.main, []),
    "peers": partial(comparing.report, peers=True),
}
"""What is printed only when it is asked for: each hostile text; comparisons beside difflib and rapidfuzz."""


def main(names: list[str]) -> int:
    """Prints the figures of all sections, or of those that are named."""
    for name in names or SECTIONS:
        print(name, flush=True)
        (SECTIONS | LONGER)[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
