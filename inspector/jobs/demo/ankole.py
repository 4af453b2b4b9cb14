# ruff: noqa: E501 - what agents write has no line length
"""A colleague in a publishing house, in the system prompt that Ankole's worker assembles.

Faults: a clock inside the system prompt (every turn), a call without its required argument (turn 2), a
tool that vanishes together with its policy block (4), a catalogue of skills that was compacted (5),
``<silent_success/>`` where it isn't allowed (6), an access key and an address in a message (7; both made
up), a call to a tool that isn't offered (8).
"""

from dataclasses import dataclass

from inspector.jobs.demo.ankole_blocks import system_prompt
from inspector.jobs.demo.script import Payload, call, moment, said, tool, turn, usage

SESSION = "demo:reprint-desk"
TEXT = {"type": "string"}
TOOLS = [
    tool("command", "Run one shell command.", {"command": TEXT}, ["command"]),
    tool("create_background_job", "Start work that takes minutes.", {"task": TEXT}, ["task"]),
    tool("memory_update", "Keep a fact for later.", {"entry": TEXT, "source": TEXT}, ["entry"]),
    tool("read_file", "Read part of a text file.", {"path": TEXT, "offset": {"type": "integer"}}, ["path"]),
    tool("skill_view", "Load a skill's instructions.", {"name": TEXT}, ["name"]),
]


@dataclass(frozen=True, slots=True)
class Step:
    """One turn: what is appended to the transcript before it, and the answer."""

    minutes: float
    heard: tuple[Payload, ...]
    answer: Payload
    mission: str = "Keep reprints of the autumn list on time.\nOwn `desk/REPRINTS.md`."
    jobs: bool = True
    compacted: bool = False
    memo: str = ""
    finish: str = "stop"


def user(minutes: float, text: str, *facts: str) -> Payload:
    """A user message as the worker builds it: observed facts first, then what a person wrote."""
    lines = [f"send_at: {moment(minutes):%Y-%m-%d %H:%M} (Europe/Berlin)", *facts]
    block = "<agent_environment_info>\n" + "\n".join(lines) + "\n</agent_environment_info>"
    parts = [{"type": "text", "text": block}]
    return {"role": "user", "content": [*parts, {"type": "text", "text": text}] if text else parts}


def result(identity: str, name: str, text: str) -> Payload:
    """What a tool gave back."""
    return {"role": "tool", "tool_call_id": identity, "name": name, "content": text}


LATER_MISSION = "Keep reprints of the autumn list on time.\nOwn `desk/REPRINTS.md` and the paper orders."
MEMO = "- The printer in Brno closes on 17 November (src:source_1, Ada, 2026-11-02)."
STEPS = (
    Step(
        0,
        (user(0, "Which titles must go to reprint this week?", "speaker: Ada Krol"),),
        said("I check the desk's rules first.", call("call_1", "skill_view", {"name": "reprint-check"})),
        finish="tool_calls",
    ),
    Step(
        0.3,
        (
            result(
                "call_1",
                "skill_view",
                "Reprint when stock covers fewer than 21 days of sales. Stock: desk/stock.csv",
            ),
        ),
        said(None, call("call_2", "read_file", {"offset": 0})),
        finish="tool_calls",
    ),
    Step(
        0.5,
        (result("call_2", "read_file", "Error: path is required."),),
        said(
            None,
            call("call_3", "read_file", {"path": "desk/stock.csv"}),
            call("call_4", "command", {"command": "date -I"}),
        ),
        finish="tool_calls",
    ),
    Step(
        0.8,
        (
            result(
                "call_3",
                "read_file",
                "title,stock,per_day\nSalt Roads,420,31\nThe Quiet Orchard,2100,12\nNine Bells,90,9\n",
            ),
            result("call_4", "command", "2026-11-02\n"),
        ),
        said("Two titles: *Salt Roads* (14 days left) and *Nine Bells* (10 days left)."),
        jobs=False,
    ),
    Step(
        40,
        (user(40, "Please remember that the printer in Brno closes on the 17th.", "speaker: Ada Krol"),),
        said(
            None,
            call(
                "call_5",
                "memory_update",
                {"entry": "The printer in Brno closes on 17 November.", "source": "source_1"},
            ),
        ),
        mission=LATER_MISSION,
        compacted=True,
        finish="tool_calls",
    ),
    Step(
        75,
        (
            result("call_5", "memory_update", '{"ok":true}'),
            said("Noted."),
            user(
                75,
                "",
                "schedule_turn_mode: cron",
                "schedule_name: stock watch",
                "schedule_silent_success_allowed: false",
            ),
        ),
        said("<silent_success/>"),
        mission=LATER_MISSION,
        compacted=True,
        memo=MEMO,
    ),
    Step(
        90,
        (
            user(
                90,
                "The stock feed moved. Use AKIAIOSFODNN7EXAMPLE for it, and write to ada.krol@example.com if it fails.",
                "speaker: Ada Krol",
            ),
        ),
        said(
            "I won't use a key from a chat. Please put it into the desk's settings; I will write to Ada if the feed fails."
        ),
        mission=LATER_MISSION,
        compacted=True,
        memo=MEMO,
    ),
    Step(
        96,
        (user(96, "Fine. Then order paper for both reprints.", "speaker: Ada Krol"),),
        said(None, call("call_6", "create_order", {"titles": ["Salt Roads", "Nine Bells"], "sheets": 18000})),
        mission=LATER_MISSION,
        compacted=True,
        memo=MEMO,
        finish="tool_calls",
    ),
)


def turns() -> list[Payload]:
    """The session, oldest first."""
    made: list[Payload] = []
    transcript: list[Payload] = []
    for number, step in enumerate(STEPS, 1):
        transcript = [*transcript, *step.heard]
        system = system_prompt(
            step.mission, jobs=step.jobs, compacted=step.compacted, memo=step.memo, clock=moment(step.minutes)
        )
        messages = [{"role": "system", "content": system}, *transcript]
        made.append(
            turn(
                SESSION,
                number,
                step.minutes,
                3.2,
                agent="reprint-desk",
                model="claude-sonnet-4-5",
                messages=messages,
                tools=[
                    entry
                    for entry in TOOLS
                    if step.jobs or entry["function"]["name"] != "create_background_job"
                ],
                response=step.answer,
                finish_reason=step.finish,
                usage=usage(messages, step.answer),
            )
        )
        transcript = [*transcript, step.answer]
    return made
