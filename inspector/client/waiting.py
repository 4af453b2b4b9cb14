"""The bounded line in memory between an agent's calls and the sending thread."""

import threading
import time
from collections import deque
from collections.abc import Sequence

from inspector.client.delivery import TURN_PATH, Parcel


class Waiting:
    """Parcels in order. Every method may be called from any thread."""

    def __init__(self, capacity: int, capacity_bytes: int) -> None:
        self.capacity = capacity
        self.capacity_bytes = capacity_bytes
        self.changed = threading.Condition()
        self.line: deque[Parcel] = deque()
        self.size = 0
        self.in_flight: tuple[Parcel, ...] = ()
        self.handed_over = 0
        self.settled = 0
        self.missed = 0
        """Settled parcels that are not on the server: refused, on disk or dropped; counted until asked."""
        self.hurried = False
        self.closed = False

    def put(self, parcel: Parcel) -> None:
        """Add one at the end."""
        with self.changed:
            self.line.append(parcel)
            self.size += len(parcel.body)
            self.handed_over += 1
            self.changed.notify_all()

    def overflow(self) -> list[Parcel]:
        """The older half, taken out, when there is more than memory should hold; else nothing."""
        with self.changed:
            if len(self.line) <= self.capacity and self.size <= self.capacity_bytes:
                return []
            return self._pop((len(self.line) + 1) // 2)

    def take(self, most: int, most_bytes: int) -> tuple[Parcel, ...]:
        """The next parcels to send: what stands first, and if that is a turn, more turns up to the limits.

        Turns step before the later parts between them, which may come in any order. Waits for something to
        send; empty when closed.
        """
        with self.changed:
            # A thread that stopped in the middle left these behind.
            self._put_back(self.in_flight)
            self.changed.wait_for(lambda: self.line or self.closed)
            if self.line and self.line[0].path == TURN_PATH:
                self.in_flight = self._pop_turns(most, most_bytes)
            else:
                self.in_flight = tuple(self._pop(min(len(self.line), 1)))
            return self.in_flight

    def settle(self, again: Sequence[Parcel], missed: int) -> None:
        """The parcels in flight are done with, but for those to be sent again, which stand first in line."""
        with self.changed:
            self.settled += len(self.in_flight) - len(again)
            self.missed += missed
            self._put_back(again)
            self.in_flight = ()
            self.changed.notify_all()

    def set_aside(self, count: int) -> None:
        """Parcels that were taken out of the line went to disk or were dropped."""
        with self.changed:
            self.settled += count
            self.missed += count
            self.changed.notify_all()

    def pause(self, seconds: float, *, asked: bool = False) -> None:
        """Wait, unless somebody is in a hurry; if the server asked for it, only closing cuts it short."""
        with self.changed:
            self.changed.wait_for(lambda: (self.hurried and not asked) or self.closed, seconds)
            self.hurried = False

    def all_settled(self, timeout: float) -> bool:
        """Wait for all that was handed over so far; whether every parcel of it reached the server."""
        deadline = time.monotonic() + timeout
        with self.changed:
            goal = self.handed_over
            self.hurried = True
            self.changed.notify_all()
            done = self.changed.wait_for(lambda: self.settled >= goal, max(deadline - time.monotonic(), 0))
            missed, self.missed = self.missed, 0
            return done and not missed

    def close(self) -> None:
        """No more will come: let the sending thread end when the line is empty."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()

    def rest(self) -> list[Parcel]:
        """Everything not known to be on the server, taken out."""
        with self.changed:
            rest = [*self.in_flight, *self._pop(len(self.line))]
            self.in_flight = ()
            return rest

    def _put_back(self, parcels: Sequence[Parcel]) -> None:
        self.line.extendleft(reversed(parcels))
        self.size += sum(len(parcel.body) for parcel in parcels)

    def _pop(self, count: int) -> list[Parcel]:
        taken = [self.line.popleft() for _ in range(count)]
        self.size -= sum(len(parcel.body) for parcel in taken)
        return taken

    def _pop_turns(self, most: int, most_bytes: int) -> tuple[Parcel, ...]:
        taken: list[Parcel] = []
        left: deque[Parcel] = deque()
        room = most_bytes
        for parcel in self.line:
            room -= len(parcel.body) if parcel.path == TURN_PATH else 0
            if parcel.path == TURN_PATH and len(taken) < most and (room >= 0 or not taken):
                taken.append(parcel)
            else:
                left.append(parcel)
        self.line = left
        self.size -= sum(len(parcel.body) for parcel in taken)
        return tuple(taken)
