"""The tasks: each calls one function, which is what tests call."""

from inspector.jobs import reading, retention
from inspector.jobs.worker import task
from inspector.sharing import links


@task("inspector.read")
def read(turn_ids: list[int]) -> None:
    """Read what is due in the sessions of these turns."""
    reading.read(turn_ids)


@task("inspector.sweep")
def sweep() -> None:
    """Read what no hint told of."""
    reading.sweep()


@task("inspector.retention")
def drop_old_sessions() -> None:
    """Drop what projects no longer want to keep."""
    retention.drop_old()


@task("inspector.expiry")
def note_expired_links() -> None:
    """Write down which links have expired."""
    links.note_expired()
