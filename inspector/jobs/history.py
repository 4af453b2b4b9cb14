"""What a session's next turn is read against: the turns before, remembered by who read them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from inspector.store import outlines, readings
from inspector.store.models import Session
from inspector.store.models import Turn as Row
from inspector.store.outlines import Prior
from inspector.store.recent import Recent
from inspector.turns.results import ResultLink, with_results
from inspector.turns.turn import ReadTurn, Turn

MAX_EARLIER = 200
"""A reading looks at so many turns before."""
LIMIT = 48 * 1024 * 1024
SECTION_BYTES = 700
"""About what a section of a reading takes in memory."""


@dataclass(slots=True)
class Thread:
    """The turns of one agent and parent in a session, oldest first; only the last one has its messages."""

    earlier: list[ReadTurn] = field(default_factory=list)
    ids: dict[str, int] = field(default_factory=dict)
    """Turn key → row id, of those in ``earlier``."""
    prior: Prior | None = None
    pending: Callable[[], Prior | None] | None = None
    """Where the outline of the last turn will be found once it is saved."""

    def outline(self) -> Prior | None:
        """The outline of the last turn, to compress the next one against."""
        return self.pending() if self.pending is not None else self.prior

    def append(self, row: Row, read: ReadTurn, outline: Callable[[], Prior | None]) -> None:
        """The turn that was just read; the one before gives up its messages."""
        if self.earlier:
            last = self.earlier[-1]
            self.earlier[-1] = replace(last, turn=replace(last.turn, messages=(), metadata=None, extra={}))
        self.earlier.append(read)
        self.ids[row.key] = row.pk
        self.pending = outline
        while len(self.earlier) > MAX_EARLIER:
            self.ids.pop(self.earlier.pop(0).id, None)

    def link(self, links: Sequence[ResultLink]) -> None:
        """Put results into the calls of earlier turns."""
        for link in links:
            for place, read in enumerate(self.earlier):
                if read.id == link.turn_id:
                    linked = with_results(read.reading, [(link.call_index, link.result)])
                    self.earlier[place] = replace(read, reading=linked)


@dataclass(slots=True)
class History:
    """What is known of a session up to a turn."""

    short_id: str
    revised: int
    seq: int = 0
    """Of the last turn that is in it."""
    threads: dict[tuple[str, str], Thread] = field(default_factory=dict)

    def thread(self, row: Row) -> Thread:
        """The turns that this one follows."""
        return self.threads.setdefault((row.agent, row.parent_key), Thread())

    @property
    def size(self) -> int:
        """About how many bytes it takes in memory."""
        turns = [read for thread in self.threads.values() for read in thread.earlier]
        texts = sum(len(message.text) for read in turns for message in read.turn.messages)
        return 2 * texts + SECTION_BYTES * sum(len(read.reading.sections) + 4 for read in turns)


_histories: Recent[int, History] = Recent(LIMIT, LIMIT // 2)


def before(session: Session, row: Row) -> History:
    """The history that a turn of the session is read against."""
    known = _histories.get(session.pk)
    _histories.drop(session.pk)
    if known is not None and is_of(known, session) and known.seq == row.seq - 1:
        return known
    return _rebuilt(session, row)


def is_of(history: History, session: Session) -> bool:
    """Whether the history tells of this session as it is now."""
    return (history.short_id, history.revised) == (session.short_id, session.revised)


def remember(session_id: int, history: History) -> None:
    """Keep a history for the session's next turn; only after its turns were saved."""
    for thread in history.threads.values():
        thread.prior, thread.pending = thread.outline(), None
    _histories.put(session_id, history, history.size)


def forget() -> None:
    """Forget every history."""
    _histories.clear()


def _rebuilt(session: Session, row: Row) -> History:
    """The history from the tables: every reading before the turn, and of each thread the last record."""
    history = History(session.short_id, session.revised, row.seq - 1)
    rows = list(Row.objects.filter(session=session, seq__lt=row.seq).order_by("-seq")[:MAX_EARLIER])[::-1]
    last: dict[tuple[str, str], Row] = {}
    priors = outlines.priors_of([one.pk for one in rows])
    results = readings.results_of(list(priors))
    for one in rows:
        prior = priors.get(one.pk)
        if prior is None:
            continue
        reading = with_results(outlines.read(prior.data), results.get(one.pk, []))
        thread = history.thread(one)
        thread.earlier.append(
            ReadTurn(one.key, one.seq, Turn(agent=one.agent, model=one.model or None), reading)
        )
        thread.ids[one.key] = one.pk
        thread.prior = prior
        last[one.agent, one.parent_key] = one
    for key, turn in readings.turns_of(list(last.values())).items():
        thread = next(history.threads[place] for place, one in last.items() if one.pk == key)
        thread.earlier[-1] = replace(thread.earlier[-1], turn=turn)
    return history
