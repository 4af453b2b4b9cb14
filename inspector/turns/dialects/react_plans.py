"""crewAI's plan-and-execute prompts: make a plan, do one step of it, watch what came of it, sum up."""

from collections.abc import Sequence

from inspector.turns.dialects.titles import Title
from inspector.turns.turn import Message

_PLANNERS = (
    "You are a strategic planning assistant.",
    "You are a Planning Agent observing execution progress.",
)
_STEP = "You are executing a specific step in a multi-step plan."
_SUMMED = "You have completed a multi-step task. Synthesize the results from all steps"
_OPENINGS = ("## Current Step\n", "## Original Task\n", "## Original task\n", "## Task\n")
PLAN_SYSTEM = (
    Title("Your goal: ", "instructions", "Goal", begins=True),
    Title(_STEP, "instructions", "Step Rules", begins=True),
)
PLAN_USER = (
    Title("## Original task", "updates", "Original Task"),
    Title("## Original Task", "updates", "Original Task"),
    Title("## Task", "updates", "Task"),
    Title("## Current Step", "updates", "Current Step"),
    Title("## Expected output", "format", "Expected Output"),
    Title("## Expected Output", "format", "Expected Output"),
    Title("## Available Tools", "actions", "Available Tools"),
    Title("## Planning Principles", "instructions", "Planning Principles"),
    Title("## Step Types", "instructions", "Step Types", begins=True),
    Title("## Rules:", "instructions", "Rules"),
    Title("## Context from previous steps:", "history", "Context from Previous Steps"),
    Title("## Results from each step", "history", "Results from Each Step"),
    Title("## Previously completed steps:", "history", "Previously Completed Steps"),
    Title("## Just completed step", "updates", "Just Completed Step", begins=True),
    Title("## Remaining plan steps:", "memory", "Remaining Plan Steps"),
    Title("Analyze this step's result", "format", "Cue", begins=True),
    Title("For each step: State the action", "format", "Cue", begins=True),
    Title("Complete this step and provide your result.", "format", "Cue"),
    Title("Synthesize these results into", "format", "Cue", begins=True),
)


def is_plan(messages: Sequence[Message]) -> bool:
    """Whether a conversation begins as one of these prompts."""
    if len(messages) < 2 or messages[0].role != "system" or messages[1].role != "user":
        return False
    system, task = messages[0].text, messages[1].text
    if system.startswith(_PLANNERS):
        return any(f"\n{opening}" in task or task.startswith(opening) for opening in _OPENINGS)
    return (_STEP in system[:20_000] or _SUMMED in system[:2_000]) and task.startswith(_OPENINGS)
