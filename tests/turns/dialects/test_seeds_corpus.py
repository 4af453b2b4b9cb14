"""Turns captured from the four frameworks this was made for, where they lie beside the checkout.

Every one is in its dialect and layout, has the sections of its framework's order and nothing that is none.
"""

from collections import Counter
from pathlib import Path

import pytest

from inspector.turns import read_payload, read_turn
from inspector.turns.payload import parse
from inspector.turns.turn import Reading, ReadTurn

SEEDS = Path(__file__).parents[4] / "shared" / "corpus" / "seeds"
FILES = sorted(SEEDS.glob("*.jsonl"))
LAYOUTS = {
    "ankole_gateway": {"ankole seed": 12},
    "ankole_skill_limits": {"ankole seed": 4},
    "ankole_snapshot": {"ankole 2026-07": 6, "ankole ambient": 2},
    "ankole_worker": {"ankole seed": 12},
    "hive_goal": {"hive generation": 13},
    "hive_pursuit": {"hive pursuit": 27},
    "hive_pursuit_anthropic_wire": {"hive anthropic": 18},
    "raku_baked": {"llm-agent baked": 6, "llm-agent context": 3},
    "raku_compaction": {"llm-agent compaction": 2},
    "raku_context": {"llm-agent context": 9},
    "raku_determinism": {"llm-agent baked": 3},
}
ALWAYS = {
    "ankole seed": "identity soul completion_contract agent_environment_info_policy tools "
    "tools/about_computer tools/tool_routing_policy long_term_memory_policy runtime_context",
    "ankole 2026-07": "identity soul runtime_context agent_environment_info_policy tools",
    "ankole ambient": "task agent-identity soul mission runtime-context intervention-policy decision-input",
    "hive generation": "role role-description world response-format personality communication-style profile "
    "intro your-identity available-tools available-actions your-task",
    "hive pursuit": "role personality toolkit-instructions toolkit-instructions/notepad goal context",
    "hive anthropic": "role personality behavioral-state toolkit-instructions goal context context/identity",
    "llm-agent baked": "identity environment tools",
    "llm-agent context": "",
    "llm-agent compaction": "",
}
"""Sections that every prompt of a layout has."""
UNKNOWN = frozenset({"Text", "System message", "Introduction"})
"""Titles of what no dialect knew. Hive's question for a goal has an introduction."""


def read_file(path: Path) -> list[Reading]:
    """The readings of a file's turns, each after those of its session."""
    sessions: dict[str, list[ReadTurn]] = {}
    readings = []
    for number, line in enumerate(path.read_bytes().splitlines()):
        turn = read_payload(parse(line))
        earlier = sessions.setdefault(turn.session or "", [])
        reading = read_turn(turn, earlier, id=str(number), seq=number)
        earlier.append(ReadTurn(str(number), number, turn, reading))
        readings.append(reading)
    return readings


def spoken(reading: Reading) -> str:
    return f"{reading.dialect} {reading.layout}"


@pytest.mark.skipif(
    not FILES, reason="the seeds' turns are not here; each dialect's samples have look-alikes"
)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_turn_is_in_its_dialect_and_layout(path: Path) -> None:
    assert Counter(map(spoken, read_file(path))) == LAYOUTS[path.stem]


@pytest.mark.skipif(
    not FILES, reason="the seeds' turns are not here; each dialect's samples have look-alikes"
)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_turn_has_the_sections_of_its_layout_and_no_others(path: Path) -> None:
    for number, reading in enumerate(read_file(path)):
        paths = {section.path for section in reading.sections}
        assert set(ALWAYS[spoken(reading)].split()) <= paths, number
        unknown = {section.title for section in reading.sections} & UNKNOWN
        assert unknown <= ({"Introduction"} if reading.layout == "generation" else set()), number
        assert "other" not in {section.kind for section in reading.sections}, number
