"""The other end of the wire: what an agent calls to have its turns kept. Standard library only.

    from inspector.client import Logger

    log = Logger("http://127.0.0.1:8000", key="pi_…", agent="support-bot")

    turn = log.turn(session="chat:4711", model="gpt-4o-mini", messages=messages)  # its id, at once
    log.response(turn, answer, usage=usage)                         # when the model has answered
    log.results(turn, [{"call": 0, "value": {"temperature": 18}}])  # when its calls have run

Calls return at once and never raise into the agent. A background thread sends what is waiting in gzipped
batches over one kept-alive connection, tries again with growing pauses while the server is away, and keeps
what it could not send in a folder on disk (``INSPECTOR_SPOOL``), from which the next start sends it. Ids are
made here, so a turn that is sent twice is kept once. At exit the thread has ``exit_timeout`` seconds.
``log.flush(timeout)`` waits and says whether everything handed over so far is safe on the server.

Without ``url`` and ``key``, ``INSPECTOR_URL`` and ``INSPECTOR_KEY`` are used. From a shell, one turn a line:

    python -m inspector.client post turns.jsonl
    agent --trace | python -m inspector.client post -
"""

from inspector.client.logger import Logger

__all__ = ["Logger"]
