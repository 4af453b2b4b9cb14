"""What the benchmark measures of a running installation, each figure with its budget."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import psutil

from tests.bench.clients import post, request
from tests.processes import Running


@dataclass(frozen=True, slots=True)
class Posted:
    """What posting a load showed."""

    turns: int
    seconds: float
    latencies: list[float]
    """Seconds a post, sorted."""
    server_cpu: float
    """Seconds of the server's processes."""
    client_cpu: float
    """Seconds of the clients, which run on the same machine."""

    def at(self, share: float) -> float:
        """The latency that this share of posts stays below, in milliseconds."""
        return self.latencies[min(len(self.latencies) - 1, int(len(self.latencies) * share))] * 1000


def cpu_of(processes: Sequence[psutil.Process]) -> float:
    """CPU seconds that processes have used so far."""
    return sum(times.user + times.system for times in (process.cpu_times() for process in processes))


def post_all(running: Running, sessions: Sequence[Sequence[tuple[str, bytes]]], clients: int = 8) -> Posted:
    """Posts whole sessions, one after the other on each of several connections."""
    requests = [[request(running.port, body) for _, body in session] for session in sessions]
    server = running.children("granian", "multiprocessing")
    cpu, own, begun = cpu_of(server), time.process_time(), time.perf_counter()
    latencies, failed = post(running.port, requests, clients)
    seconds = time.perf_counter() - begun
    if failed:
        raise RuntimeError(f"{len(failed)} posts failed, the first with {failed[0]}: {running.said()}")
    return Posted(len(latencies), seconds, sorted(latencies), cpu_of(server) - cpu, time.process_time() - own)


def median_ms(what: Callable[[], object], times: int = 7) -> float:
    """Milliseconds that something takes, the middle one of several times (after one to warm up)."""
    what()
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        what()
        taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)


def cpu_ms(what: Callable[[], object], times: int = 3, enough: float = 120.0) -> float:
    """CPU milliseconds of this process that something takes: the best of some times, which other load can't
    make better. Once is enough for what takes less than ``enough``."""
    best = float("inf")
    for _ in range(times):
        begun = time.process_time()
        what()
        best = min(best, (time.process_time() - begun) * 1000)
        if best < enough:
            break
    return best


def memory_mb(running: Running) -> float:
    """Proportional set size of the supervisor and all under it, in MB."""
    family = running.children()
    if running.process is not None:
        family.append(psutil.Process(running.process.pid))
    return sum(process.memory_full_info().pss for process in family) / 1e6


def line(name: str, value: str, budget: str = "") -> None:
    """Prints one figure."""
    print(f"  {name:<58} {value:>16}   {budget}", flush=True)
