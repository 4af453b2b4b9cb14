"""Prompts of our own making, in the form that Daydreams agents write."""

from typing import Any

PROMPT = """You are the harbour master's assistant.

## Primary Objective
Answer skippers and book berths.

## Local time
10:{minute:02d} UTC

## Available Actions
<available-actions>
<action name="bookBerth">
<description>Book a berth</description>
<format>JSON</format>
<schema>{{"type":"object","properties":{{"boat":{{"type":"string"}},"nights":{{"type":"number"}}}},"required":["boat","nights"]}}</schema>
</action>
</available-actions>

## Recent History
{history}
"""
RESPONSE = """<response>
<reasoning>The skipper wants two nights.</reasoning>
<action_call name="bookBerth">{"boat": "Nora", "nights": "two"}</action_call>
<action_call name="bookBert">{"boat": "Nora"}</action_call>
<output type="text">{"content": "Done, {{calls[0].berth}} it is."}</output>
</response>"""


def prompt(number: int = 1) -> str:
    """The prompt of the ``number``-th turn: a clock that goes on and a history that grows."""
    lines = "\n".join(f"- skipper {index}: a berth for the night, please" for index in range(number))
    return PROMPT.format(minute=number, history=lines)


def payload(number: int = 1, **more: Any) -> dict[str, Any]:
    """One turn of the session ``harbour:1``."""
    return {
        "id": f"turn-{number}",
        "session": "harbour:1",
        "agent": "harbour",
        "model": "tide-2",
        "prompt": prompt(number),
        "response": RESPONSE,
    } | more
