# ruff: noqa: E501 - what agents write has no line length
"""A coding assistant in a checked-out repository: the baked prompt of LLM::Agent and a run context.

Faults: a baked date and tool list that have gone stale (from turn 3: the session was resumed), a tool that is
documented but no longer offered (4), a wrong type (5), an empty answer (6), a retry of the same bytes (7), a
reference to instructions that the run context contradicts (8), a compaction that replaced the middle (9).
"""

from inspector.jobs.demo.llm_agent_prompts import AGENTS, SUMMARY, context, system_prompt
from inspector.jobs.demo.script import Payload, call, said, tool, turn, usage

SESSION = "demo:kite-simulator"
TEXT = {"type": "string"}
FS_READ = tool(
    "fs_read",
    "Read a file of the repository.",
    {
        "path": {**TEXT, "description": "Where the file is."},
        "limit": {"type": "integer", "description": "Lines at most."},
    },
    ["path"],
)
RUN_TESTS = tool("run_tests", "Run the test suite or one file of it.", {"file": TEXT})
LIST_BRANCHES = tool("list_branches", "List the branches.", {})
GIT_DIFF = tool("git_diff", "Show what changed.", {"staged": {"type": "boolean"}})
BEFORE, AFTER = [FS_READ, RUN_TESTS, LIST_BRANCHES], [FS_READ, RUN_TESTS, GIT_DIFF]

READ = said("I read the test.", call("k1", "fs_read", {"path": "t/04-gust.rakutest", "limit": 40}))
BRANCHES = said(None, call("k2", "list_branches", {}))
LONG = said(None, call("k3", "fs_read", {"path": "lib/Kite/Wind.rakumod", "limit": "forty"}))
FIXED = said("The gust is added twice: once in `step`, once in `lift`. Take it out of `lift`.")
RUN = said(None, call("k5", "run_tests", {"file": "t/04-gust.rakutest"}))
TEST = "use Test;\nplan 2;\nis gust(0), 0, 'calm';\nis lift(9.5), 21.4, 'strong wind';\n"
WIND = "unit module Kite::Wind;\nsub gust($t) is export { sin($t) * 3 }\nsub lift($v) is export { $v * 2 + gust($v) }\n"


def asked(text: str) -> Payload:
    """A person's message."""
    return {"role": "user", "content": text}


def result(identity: str, text: str) -> Payload:
    """What a tool gave back."""
    return {"role": "tool", "tool_call_id": identity, "content": text}


FIRST = [asked("Why does t/04-gust.rakutest fail?"), READ, result("k1", TEST)]
CAUSE = said("`lift(9.5)` gives 21.2 instead of 21.4. I would look into `Kite::Wind` next.")
RESUMED = [*FIRST, CAUSE, asked("Back again. Which branch has the new wind model?")]
BRANCH_RESULT = result("k2", "Error: no such tool")
THEN = [*RESUMED, BRANCHES, BRANCH_RESULT]
LAST = [*THEN, LONG, result("k3", "Error: limit must be an integer")]
READ_AGAIN = [*LAST, said(None, call("k4", "fs_read", {"path": "lib/Kite/Wind.rakumod"})), result("k4", WIND)]
TAIL = context("2026-11-02", "8c1f2ab", AGENTS.replace("t/`", "t/ xt/`"))

STEPS: tuple[tuple[float, list[Payload], list[Payload], Payload | str | None, str], ...] = (
    (0, FIRST[:1], BEFORE, READ, "tool_calls"),
    (0.2, FIRST, BEFORE, CAUSE, "stop"),
    (130, RESUMED, AFTER, BRANCHES, "tool_calls"),
    (130.3, THEN, AFTER, LONG, "tool_calls"),
    (130.6, LAST, AFTER, READ_AGAIN[-2], "tool_calls"),
    (131, READ_AGAIN, AFTER, "", "stop"),
    (131.2, READ_AGAIN, AFTER, FIXED, "stop"),
    (140, [*READ_AGAIN, FIXED, asked("Done. Run the tests."), TAIL], AFTER, RUN, "tool_calls"),
    (
        140.4,
        [
            asked(SUMMARY),
            asked("Done. Run the tests."),
            RUN,
            result("k5", "ok 1 - calm\nok 2 - strong wind\n"),
            TAIL,
        ],
        AFTER,
        said("Both tests pass. Run `prove6 -Ilib t/ xt/` before you propose the commit."),
        "stop",
    ),
)


def turns() -> list[Payload]:
    """The session, oldest first."""
    made: list[Payload] = []
    for number, (minutes, conversation, tools, answer, finish) in enumerate(STEPS, 1):
        messages = [{"role": "system", "content": system_prompt(BEFORE)}, *conversation]
        request = {"model": "claude-sonnet-4.6", "messages": messages, "tools": tools, "stream": True}
        body = {"role": "assistant", "content": ""} if answer == "" else answer
        made.append(
            turn(
                SESSION,
                number,
                minutes,
                2.7,
                agent="kite-coder",
                request=request,
                response={"choices": [{"index": 0, "message": body, "finish_reason": finish}]},
                usage=usage(messages, body, cached=400 if number in (2, 4, 5, 6, 7) else 0),
            )
        )
        del made[-1]["finish_reason"]
    return made
