"""Bodies that trickle in hold up nobody: neither pages nor other posts."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from tests.processes import KEY, Running, ask, serving

pytestmark = pytest.mark.xdist_group("processes")

HEAD = (
    "POST /api/v1/turns HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    f"Authorization: Bearer {KEY}\r\nContent-Length: 100000\r\n\r\n"
)


@contextmanager
def trickling(running: Running, count: int) -> Iterator[list[socket.socket]]:
    """So many connections that each send a byte of a large body ten times a second."""
    senders = [socket.create_connection(("127.0.0.1", running.port), timeout=10) for _ in range(count)]
    ended = threading.Event()

    def trickle() -> None:
        while not ended.wait(0.1):
            for sender in senders:
                with suppress(OSError):
                    sender.send(b" ")

    for sender in senders:
        sender.sendall(HEAD.encode() + b'{"prompt": "')
    thread = threading.Thread(target=trickle)
    thread.start()
    time.sleep(1)
    try:
        yield senders
    finally:
        ended.set()
        thread.join()
        for sender in senders:
            sender.close()


def slowest(running: Running, times: int = 10) -> float:
    """Seconds of the slowest of some pages and posts, of which all must be answered."""
    taken = []
    for number in range(times):
        begun = time.monotonic()
        assert ask(running.port, "GET", "/sign-in/", timeout=5).status == 200
        running.post({"session": "quick", "prompt": f"Weigh letter {number}."})
        taken.append(time.monotonic() - begun)
    return max(taken)


def test_pages_and_posts_are_answered_while_bodies_trickle_in() -> None:
    with serving() as running:
        with trickling(running, 16):
            assert slowest(running) < 5
        # Whoever waits too long is let go once the sender hangs up: nothing is used up.
        with trickling(running, 40):
            assert slowest(running) < 5


def test_of_too_many_slow_bodies_some_are_refused_and_pages_go_on() -> None:
    with serving() as running:
        with trickling(running, 80) as senders:
            assert ask(running.port, "GET", "/sign-in/", timeout=5).status == 200
            answer = ask(running.port, "POST", "/api/v1/turns", b'{"prompt": "Weigh."}', timeout=5)
            assert answer.status == 503
            assert answer.json()["error"]["code"] == "busy"
            assert answer.headers["retry-after"] == "1"
            assert senders
        deadline = time.monotonic() + 10
        while ask(running.port, "POST", "/api/v1/turns", b'{"prompt": "Weigh."}').status != 201:
            assert time.monotonic() < deadline
            time.sleep(0.1)
