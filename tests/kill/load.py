"""Writers that post without pause and remember exactly what was acknowledged."""

import hashlib
import http.client
import json
import random
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field

from tests.processes import ask

SENTENCES = (
    "The barge waits below the third lock until the keeper has eaten.",
    "Grain goes by weight, timber by length, and passengers by patience.",
    "Every lantern must be lit before the fog reaches the lower basin.",
    "The ledger lies open at the page of the seventh of October.",
)


@dataclass(slots=True)
class Acknowledged:
    """Digests of bodies that were answered 201 or 200, by turn id."""

    turns: dict[str, bytes] = field(default_factory=dict)
    refused: list[tuple[int, bytes]] = field(default_factory=list)
    """Answers that no kill explains."""


def body_of(writer: str, number: int, chance: random.Random) -> tuple[str, bytes]:
    """Id and bytes of a writer's next turn: its session's prompt grows, as agents' do."""
    session, place = divmod(number, 20)
    grown = [f"- {chance.choice(SENTENCES)} ({step})" for step in range(place * 4)]
    prompt = "# Role\nYou keep a canal.\n\n" + "\n".join(SENTENCES * 30) + "\n\n# Log\n" + "\n".join(grown)
    turn = {
        "id": f"{writer}-{number}",
        "session": f"{writer}-{session}",
        "prompt": prompt,
        "response": f"Noted {number}.",
    }
    return str(turn["id"]), json.dumps(turn).encode()


def write(port: int, writer: str, seed: int, until: threading.Event, kept: Acknowledged) -> None:
    """Posts until told to stop; whatever was not answered is posted again, as a client would."""
    chance = random.Random(seed)
    number = 0
    body = body_of(writer, number, chance)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    while not until.is_set():
        try:
            answer = ask(port, "POST", "/api/v1/turns", body[1], connection=connection)
        except (OSError, http.client.HTTPException):
            connection.close()
            time.sleep(0.05)
            continue
        if answer.status in (200, 201):
            kept.turns[body[0]] = hashlib.sha256(body[1]).digest()
            number += 1
            body = body_of(writer, number, chance)
        elif answer.status != 503:
            kept.refused.append((answer.status, answer.body[:300]))
            return
    with suppress(OSError):
        connection.close()


class Writers:
    """Several of them, each in a thread."""

    def __init__(self, port: int, count: int, name: str) -> None:
        self.until = threading.Event()
        self.kept = [Acknowledged() for _ in range(count)]
        self.threads = [
            threading.Thread(
                target=write, args=(port, f"{name}-{index}", index, self.until, kept), daemon=True
            )
            for index, kept in enumerate(self.kept)
        ]
        for thread in self.threads:
            thread.start()

    def stop(self) -> dict[str, bytes]:
        """Digests of everything that was acknowledged, by turn id."""
        self.until.set()
        for thread in self.threads:
            thread.join(30)
        assert not [one for kept in self.kept for one in kept.refused]
        return {key: digest for kept in self.kept for key, digest in kept.turns.items()}
