"""A Daydreams prompt of our own and the findings on a turn, for tests of the rules."""

from typing import Any

from inspector.turns import read_turn
from inspector.turns.payload import Payload
from inspector.turns.turn import Finding
from inspector.turns.wires import read_payload

ACTIONS = """<action name="forecast">
<description>Weather ahead</description>
<format>JSON</format>
<schema>{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"},
"unit":{"enum":["C","F"]}},"required":["city"],"additionalProperties":false}</schema>
</action>
<action name="note">
<description>Writes a note</description>
<format>JSON</format>
<schema>{"type":"object","properties":{"text":{"type":"string"},"extra":{}},"required":["text"]}</schema>
</action>"""
OUTPUTS = """<output name="text">
<description>Says something</description>
<attributes_schema>{}</attributes_schema>
<content_schema>{"type":"object","properties":{"content":{"type":"string"}},"required":["content"]}</content_schema>
</output>"""


def daydreams(
    *,
    state: str = "Quiet.",
    actions: str = ACTIONS,
    outputs: str = OUTPUTS,
    inputs: str = "",
    history: str = "",
    came: str = "",
) -> str:
    """A prompt in the layout of 0.3.20, with the parts that a test cares about."""
    said = inputs or '<input name="text" timestamp="1796039186222">Is it raining?</input>'
    return f"""You are an expert AI agent controlling a multi-context software application.

## Primary Objective
Answer any <unprocessed-inputs> from users.

## Response Format & Rules
Your entire response MUST be a single, valid XML block enclosed in <response> tags.

---
### Template Engine
<template-engine>
Use {{{{calls[index].path.to.value}}}} (e.g., {{{{calls[0].sandboxId}}}}) or {{{{shortTermMemory.key}}}}.
</template-engine>

## CURRENT SITUATION

### Unprocessed Inputs
<unprocessed-inputs>
{said}
</unprocessed-inputs>

### Pending Operations
<pending-operations>
No operations in progress.
</pending-operations>

### Recent Action Results
<recent-action-results>
{came or "No recent action results."}
</recent-action-results>

### Context State
<context-state>
<context type="chat" key="anna">
<description>A chat.</description>
<state>
{state}</state>
</context>
</context-state>

---

## AVAILABLE TOOLS

### Actions You Can Initiate
<available-actions>
{actions}
</available-actions>

### Output Methods
<available-outputs>
{outputs}
</available-outputs>

---

## CONTEXTUAL KNOWLEDGE

### Relevant Prior Knowledge
<semantic-context>
No relevant memories found.
</semantic-context>

### Recent Interaction History
<recent-history>
{history or "No recent conversation history."}
</recent-history>

### Decision Context
<decision-context>
No recent reasoning available.
</decision-context>

Now, generate your response based on the rules and examples above. Begin with the opening <response> tag.

"""


def answered(response: str, **fields: Any) -> dict[str, Any]:
    """A Daydreams turn with a response, as it would be posted."""
    names = ("state", "actions", "outputs", "inputs", "history", "came")
    parts = {key: fields.pop(key) for key in names if key in fields}
    return {"prompt": daydreams(**parts), "prefill": "<response>", "response": response, **fields}


def asked(system: str, user: str = "Hello", **fields: Any) -> dict[str, Any]:
    """A chat of a system and a user message."""
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    return {"messages": messages, **fields}


def findings(payload: dict[str, Any]) -> tuple[Finding, ...]:
    """The findings on a posted turn."""
    return read_turn(read_payload(Payload(payload))).findings
