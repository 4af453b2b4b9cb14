"""What agents' prompts offer decides how their answers are read: whole turns of some dialects."""

import json
from pathlib import Path
from typing import Any

from inspector.turns import read_turn
from inspector.turns.payload import Payload
from inspector.turns.turn import Reading
from inspector.turns.wires import read_payload

SAMPLES = Path(__file__).parents[2] / "samples"
NODE = """
## context
A bill.

-----

## format example
[CONTENT]
{{
    "invoice": "False"
}}
[/CONTENT]

## nodes: "<node>: <type>  # <instruction>"
{nodes}

## constraint
Format: output wrapped inside [CONTENT][/CONTENT].

## action
Follow instructions of nodes.
"""


def read(payload: dict[str, Any]) -> Reading:
    return read_turn(read_payload(Payload(payload)))


def sample(name: str, **fields: Any) -> dict[str, Any]:
    return {**json.loads((SAMPLES / f"{name}.json").read_text()), **fields}


def rules(reading: Reading) -> set[str]:
    return {finding.rule for finding in reading.findings}


def test_openhands_finishes_where_only_the_reminder_offers_it() -> None:
    payload = sample("openhands/codeact", response="All is watered.\n\n<finish></finish>\n")
    reminder = "ENVIRONMENT REMINDER: You have 9 turns left. When finished reply with <finish></finish>."
    payload["messages"].append({"role": "user", "content": f"Water bed 4.\n\n{reminder}"})
    reading = read(payload)
    assert reading.dialect == "openhands"
    assert reading.response is not None
    assert [(call.name, call.arguments, call.status) for call in reading.response.calls] == [
        ("finish", {}, "unchecked")
    ]
    (offer,) = (offer for offer in reading.contract.actions if offer.name == "finish")
    assert offer.section is not None


def test_metagpt_runs_the_code_of_a_notebook_and_no_other() -> None:
    reading = read(sample("metagpt/data"))
    assert reading.response is not None
    assert [(call.name, call.arguments) for call in reading.response.calls] == [
        ("python_interpreter", {"code": "4"})
    ]
    other = read(sample("metagpt/role", response="```python\n4\n```"))
    assert other.response is not None
    assert other.response.calls == ()


def test_metagpt_takes_texts_for_numbers_and_truths() -> None:
    lax = NODE.format(nodes="- invoice: <class 'bool'>  # if it is one\n- total: <class 'int'>  # the sum")
    reading = read({"prompt": lax, "response": '[CONTENT]\n{"invoice": "True", "total": "4"}\n[/CONTENT]'})
    assert reading.dialect == "metagpt"
    assert rules(reading) == set()
    wrong = NODE.format(nodes="- invoice: typing.List[str]  # which")
    reading = read({"prompt": wrong, "response": '[CONTENT]\n{"invoice": "a"}\n[/CONTENT]'})
    assert "wrong-type" in rules(reading)


def test_metagpt_nodes_that_stand_for_others_ask_for_nothing() -> None:
    nodes = "- key1: <class 'str'>  # the first key\n- keyn: <class 'str'>  # the last key"
    reading = read(
        {"prompt": NODE.format(nodes=nodes), "response": '[CONTENT]\n{"Name": "snake case"}\n[/CONTENT]'}
    )
    assert reading.contract.outputs == ()
    assert "missing-argument" not in rules(reading)


def test_metagpt_answers_without_its_marks_are_the_same_output() -> None:
    prompt = NODE.format(nodes="- invoice: <class 'str'>  # which\n- total: <class 'str'>  # the sum")
    reading = read({"prompt": prompt, "response": '{"invoice": "a", "total": "4"}'})
    assert reading.response is not None
    assert [(output.name, output.status) for output in reading.response.outputs] == [("content", "ok")]
