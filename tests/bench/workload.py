"""A made-up load that has the shape of real agents' turns, the same at every run.

A session is one run of an agent. Each of its turns renders one prompt anew: instructions and actions that
never change, documents (of large sizes) of which one is replaced now and then, a chat that grows, a memory
that slides, and an update that is new each time. S grows from 22 to 50 KB in 50 turns, L is 200 KB for 20,
XL is 1 MB for 5.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

SYLLABLES = (
    "ka",
    "lo",
    "mi",
    "ter",
    "ran",
    "des",
    "vo",
    "hal",
    "pri",
    "sun",
    "gol",
    "wen",
    "dar",
    "fi",
    "sto",
    "ab",
    "or",
)
ACTIONS_KB, INSTRUCTIONS_KB, MEMORY_CHARS = 12, 4, 10_000
START = datetime(2026, 3, 1, 8, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Size:
    """How long sessions of a size are, and how much of their prompts is documents."""

    turns: int
    documents: int = 0
    document_chars: int = 0
    chat: int = 3
    memory: int = 5


SIZES = {"S": Size(50), "L": Size(20, 33, 5000, 8, 14), "XL": Size(5, 98, 10_000, 8, 14)}


@cache
def vocabulary() -> list[str]:
    """Words, the frequent ones first."""
    chance = random.Random("words")
    made = {"".join(chance.choices(SYLLABLES, k=chance.choice((1, 2, 2, 3)))) for _ in range(9000)}
    return sorted(made, key=lambda word: (len(word), word))[:4000]


@cache
def followers() -> list[list[int]]:
    """Which words follow which: text repeats itself about as much as people's does."""
    chance = random.Random("pairs")
    count = len(vocabulary())
    return [[int(count * chance.random() ** 3) for _ in range(4)] for _ in range(count)]


def prose(chance: random.Random, chars: int) -> str:
    """Sentences of about so many characters."""
    words, pairs, out, length, at = vocabulary(), followers(), [], 0, 0
    while length < chars:
        at = chance.choice(pairs[at]) if chance.random() < 0.8 else int(len(words) * chance.random() ** 3)
        word = words[at] if chance.random() > 0.03 else str(chance.randrange(100_000))
        out.append(word.capitalize() + "." if chance.random() < 0.08 else word)
        length += len(out[-1]) + 1
    return " ".join(out)


@cache
def head(agent: int) -> str:
    """What never changes for an agent: instructions and actions."""
    chance = random.Random(f"agent {agent}")
    rules = [f"{number}. {prose(chance, 130)}" for number in range(INSTRUCTIONS_KB * 1000 // 140)]
    actions = [action(chance, number) for number in range(ACTIONS_KB * 1000 // 640)]
    return "<instructions>\n{}\n</instructions>\n\n<available-actions>\n{}\n</available-actions>".format(
        "\n".join(rules), "\n".join(actions)
    )


def action(chance: random.Random, number: int) -> str:
    """One offered action with a schema."""
    names = [f"{chance.choice(vocabulary())}_{index}" for index in range(3)]
    types = ("string", "integer", "boolean")
    properties = {name: {"type": chance.choice(types), "description": prose(chance, 60)} for name in names}
    schema = json.dumps({"type": "object", "properties": properties, "required": names[:2]}, indent=1)
    about = f"<description>{prose(chance, 110)}</description>\n<schema>{schema}</schema>"
    return f'<action name="action_{number}">\n{about}\n</action>'


def document(chance: random.Random, chars: int) -> str:
    """One retrieved document."""
    return f'<document id="{chance.getrandbits(32):08x}">\n{prose(chance, chars)}\n</document>'


class Run:
    """One session of an agent, turn by turn."""

    def __init__(self, size: str, number: int) -> None:
        self.size = SIZES[size]
        self.key = f"bench-{size}-{number}"
        self.agent = number % 4
        self.chance = random.Random(self.key)
        self.clock = START + timedelta(hours=number)
        self.documents = [document(self.chance, self.size.document_chars) for _ in range(self.size.documents)]
        self.chat = [line for _ in range(self.size.chat) for line in self.exchange()]
        self.memory = [self.entry() for _ in range(self.size.memory)]

    def exchange(self) -> list[str]:
        """What was said and answered."""
        at = self.clock.isoformat()
        return [
            f'<message role="{role}" at="{at}">{prose(self.chance, chars)}</message>'
            for role, chars in (("user", 90), ("assistant", 150))
        ]

    def entry(self) -> str:
        """Something remembered."""
        return f'<entry id="{self.chance.getrandbits(64):016x}">{prose(self.chance, 520)}</entry>'

    def go_on(self, turn: int) -> None:
        """From one turn to the next."""
        self.clock += timedelta(seconds=self.chance.randint(2, 30))
        if turn:
            self.chat += self.exchange()
            self.memory.append(self.entry())
            if self.documents and turn % 5 == 0:
                self.documents[self.chance.randrange(len(self.documents))] = document(
                    self.chance, self.size.document_chars
                )
        while sum(map(len, self.memory)) > MEMORY_CHARS:
            self.memory.pop(0)

    def prompt(self) -> str:
        """The whole prompt as it stands."""
        chat, memory = "\n".join(self.chat), "\n".join(self.memory)
        documents = (
            "<documents>\n{}\n</documents>\n\n".format("\n".join(self.documents)) if self.documents else ""
        )
        now = f"<now>{self.clock.isoformat()}</now>"
        update = f'<update at="{self.clock.isoformat()}">{prose(self.chance, 400)}</update>'
        return (
            f"{head(self.agent)}\n\n{documents}<contexts>\n{now}\n<chat-history>\n{chat}\n</chat-history>\n</contexts>\n\n"
            f"<working-memory>\n{memory}\n</working-memory>\n\n<updates>\n{update}\n</updates>"
        )

    def response(self) -> str:
        """About 1 KB that reasons, calls an action and says something."""
        arguments = json.dumps({"id": self.chance.randrange(10**6), "note": prose(self.chance, 90)})
        return (
            f"<response>\n<reasoning>{prose(self.chance, 380)}</reasoning>\n"
            f'<action_call name="action_{self.chance.randrange(18)}">{arguments}</action_call>\n'
            f'<output type="text">{prose(self.chance, 260)}</output>\n</response>'
        )

    def turns(self) -> Iterator[dict[str, Any]]:
        """All its turns, in the words of the API."""
        for number in range(self.size.turns):
            self.go_on(number)
            yield {
                "id": f"{self.key}-{number}",
                "session": self.key,
                "agent": f"agent-{self.agent}",
                "model": "model-of-the-bench",
                "started_at": self.clock.isoformat(),
                "prompt": self.prompt(),
                "response": self.response(),
            }


def bodies(size: str, sessions: int, first: int = 0) -> list[list[tuple[str, bytes]]]:
    """For each session, its turns' ids and bytes to post."""
    return [
        [(turn["id"], json.dumps(turn).encode()) for turn in Run(size, first + number).turns()]
        for number in range(sessions)
    ]
