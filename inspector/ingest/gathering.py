"""Work of many threads that is done together: whoever comes first does it for all that wait meanwhile."""

import threading
from collections import deque
from collections.abc import Callable

type Work[T] = Callable[[list[T]], None]


class _Waiting[T]:
    """A thread with something to be done."""

    __slots__ = ("done", "error", "item", "size", "woken")

    def __init__(self, item: T, size: int) -> None:
        self.item, self.size = item, size
        self.woken = threading.Lock()
        self.woken.acquire()
        self.done = False
        self.error: Exception | None = None


class Gathering[T]:
    """Does ``work`` for several items at once, on the thread of one of those who brought them.

    An item is alone when it comes alone, so nobody waits for company. With ``leaders`` that many threads
    work at the same time; ``most`` bounds the items and ``size`` their sizes in one piece of work.
    """

    def __init__(self, work: Work[T], *, leaders: int, most: int, size: int, shared: type[Exception]) -> None:
        self.work, self.leaders, self.most, self.size = work, leaders, most, size
        self.shared = shared
        """What concerns all when it is raised. At any other error each item is tried by itself."""
        self.lock = threading.Lock()
        self.waiting: deque[_Waiting[T]] = deque()
        self.leading = 0

    def do(self, item: T, size: int) -> None:
        """Returns once the item's work is done. What work on it alone raises is raised here."""
        mine = _Waiting(item, size)
        with self.lock:
            leads = self.leading < self.leaders
            if leads:
                self.leading += 1
            else:
                self.waiting.append(mine)
        if not leads:
            mine.woken.acquire()
        if not mine.done:
            self._lead(mine)
        if mine.error is not None:
            raise mine.error

    def _lead(self, mine: _Waiting[T]) -> None:
        group = self._group(mine)
        try:
            self._work(group)
        finally:
            for one in group[1:]:
                one.woken.release()
            with self.lock:
                if self.waiting:
                    self.waiting.popleft().woken.release()
                else:
                    self.leading -= 1

    def _group(self, mine: _Waiting[T]) -> list[_Waiting[T]]:
        group, size = [mine], mine.size
        with self.lock:
            while self.waiting and len(group) < self.most and size + self.waiting[0].size <= self.size:
                group.append(self.waiting.popleft())
                size += group[-1].size
        return group

    def _work(self, group: list[_Waiting[T]]) -> None:
        try:
            self.work([one.item for one in group])
        except self.shared as error:
            for one in group:
                one.error = type(error)(*error.args)
        except Exception as error:
            if len(group) == 1:
                group[0].error = error
            else:
                for one in group:
                    self._work([one])
        for one in group:
            one.done = True
