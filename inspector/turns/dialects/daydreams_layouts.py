"""Daydreams' layouts: which sections each one has, in order, and how to tell them apart."""

from dataclasses import dataclass

from inspector.turns.dialects.anchors import Order, Stop
from inspector.turns.dialects.statics import Lead, line_start
from inspector.turns.turn import Kind

LOG = ("input", "output", "action_call", "action_result", "reasoning", "event")
_GROUPS = frozenset({"---", "## CURRENT SITUATION", "## AVAILABLE TOOLS", "## CONTEXTUAL KNOWLEDGE"})


@dataclass(frozen=True, slots=True)
class Layout:
    """One layout of the prompt."""

    id: str
    first: tuple[str, ...]
    """What the prompt may begin with."""
    boundary: str
    """A line start that only this layout has, for prompts with other first words; empty: none."""
    order: Order
    top: tuple[Lead, ...] = ()
    headings: bool = False
    """Whether the top is cut by its headings."""
    between: tuple[Lead, ...] = ()
    """Parts without a tag that may stand between sections."""
    tails: tuple[Lead, ...] = ()


def _stop(
    tag: str,
    lead: str,
    kind: Kind,
    title: str,
    entries: tuple[str, ...] = (),
    *,
    foreign: bool = False,
    name: str = "",
) -> Stop:
    return Stop(tag, lead, kind, title, entries, name, foreign)


_STEPS = (Lead("Follow these steps to process", "instructions", "Steps"),)
_ANSWER = "Here's how you structure your response:"
_ACTIONS = "### Actions You Can Initiate"


def _tools(template: bool) -> tuple[Stop, ...]:
    tools = (
        _stop("available-actions", _ACTIONS, "actions", "Available Actions", ("action",)),
        _stop("available-outputs", "### Output Methods", "outputs", "Output Methods", ("output",)),
    )
    return (*tools, _TEMPLATE) if template else tools


_TEMPLATE = _stop("template-engine", "### Template Engine", "format", "Template Engine")
_KNOWLEDGE = (
    _stop("semantic-context", "### Relevant Prior Knowledge", "memory", "Prior Knowledge", foreign=True),
    _stop("recent-history", "### Recent Interaction History", "memory", "Recent History", LOG, foreign=True),
    _stop("decision-context", "### Decision Context", "memory", "Decision Context", LOG),
)
_TASK = (
    _stop("current-task", "### Active Task", "updates", "Active Task", LOG, foreign=True),
    _stop("context-state", "### Context State", "contexts", "Context State", ("context",), foreign=True),
    _stop("active-operations", "### Operations in Progress", "memory", "Operations in Progress", LOG),
)
_SITUATION = (
    _stop("unprocessed-inputs", "### Unprocessed Inputs", "updates", "Unprocessed Inputs", LOG, foreign=True),
    _stop("pending-operations", "### Pending Operations", "memory", "Pending Operations", LOG),
    _stop(
        "recent-action-results",
        "### Recent Action Results",
        "updates",
        "Recent Action Results",
        LOG,
        foreign=True,
    ),
    _stop("context-state", "### Context State", "contexts", "Context State", ("context",), foreign=True),
)
_OFFERED = (
    _stop("available-actions", "Here are the available actions", "actions", "Available Actions", ("action",)),
    _stop("available-outputs", "Here are the available outputs", "outputs", "Available Outputs", ("output",)),
    _stop("contexts", "Here is the current contexts:", "contexts", "Contexts", ("context",), foreign=True),
    _stop(
        "output_types_summary", "Here is a summary of the available output types", "outputs", "Output Types"
    ),
    _stop("template-engine", "", "format", "Template Engine"),
    _stop(
        "working-memory", "Here is the current working memory:", "memory", "Working Memory", LOG, foreign=True
    ),
    _stop("updates", "Now, analyze the following updates:", "updates", "Updates", LOG, foreign=True),
)
_OLD = (
    _stop("available_actions", "Here are the available actions", "actions", "Available Actions", ("action",)),
    _stop("outputs", "Here are the available outputs", "outputs", "Available Outputs", ("output",)),
    _stop("contexts", "Here is the current contexts:", "contexts", "Contexts", ("context",), foreign=True),
    _stop(
        "contexts",
        "Now, analyze the following updates to contexts:",
        "updates",
        "Updates to Contexts",
        ("context",),
        foreign=True,
        name="updates",
    ),
    _stop(
        "contexts",
        "Here is the contexts that triggered the actions:",
        "contexts",
        "Triggering Contexts",
        ("context",),
        foreign=True,
        name="triggers",
    ),
    _stop("chain", "Now, review your current chain of", "memory", "Chain", LOG),
    _stop(
        "action_results",
        "Now, analyze the latests action results:",
        "updates",
        "Action Results",
        LOG,
        foreign=True,
    ),
)
_PAGE = (
    _stop("available-actions", "", "actions", "Available Actions", ("action",)),
    _stop("available-outputs", "", "outputs", "Available Outputs", ("output",)),
    _stop("contexts", "", "contexts", "Contexts", ("context",), foreign=True),
    _stop("working-memory", "", "memory", "Working Memory", LOG, foreign=True),
    _stop("updates", "", "updates", "Updates", LOG, foreign=True),
)
_CALL_FORMAT = Lead("IMPORTANT ACTION CALL FORMAT:", "format", "Action Call Format")
_PRINCIPLES = Lead("Guiding Principles for Your Response:", "instructions", "Guiding Principles")
_CUE = Lead("Now, generate your response", "format", "Closing Cue")
_STRUCTURE = Lead(_ANSWER, "format", "Response Structure")
_REMINDERS = Lead("Remember:", "instructions", "Reminders")
_IMPORTANT = Lead("IMPORTANT:", "instructions", "Important")

LAYOUTS: tuple[Layout, ...] = (
    Layout(
        "0.2.0",
        (
            "You are tasked with analyzing messages, formulating responses",
            "You are an AI agent tasked with analyzing the results of previously",
        ),
        "<available_actions>",
        Order(_OLD),
        _STEPS,
        tails=(
            _STRUCTURE,
            Lead("Here's how you should structure your next response:", "format", "Response Structure"),
            Lead("# Remember", "instructions", "Reminders"),
            _IMPORTANT,
        ),
    ),
    Layout(
        "0.3.0",
        ("You are tasked with analyzing inputs, formulating outputs",),
        "",
        Order(_OFFERED),
        _STEPS,
        tails=(_STRUCTURE, _REMINDERS, _IMPORTANT),
    ),
    Layout(
        "0.3.9",
        ("You are an expert AI assistant, the central control system",),
        "",
        Order(_OFFERED),
        _STEPS,
        between=(Lead("Here are some examples of high-quality interactions:", "format", "Examples"),),
        tails=(_STRUCTURE, _CALL_FORMAT, _PRINCIPLES),
    ),
    Layout(
        "0.3.13",
        ("You are an expert AI assistant acting as the control system",),
        "### Active Task\n<current-task>",
        Order((*_TASK, *_tools(True), *_KNOWLEDGE), _GROUPS),
        _STEPS,
        tails=(
            Lead("### Examples of High-Quality", "format", "Examples"),
            Lead("## Response Format", "format", "Response Format"),
            _STRUCTURE,
            _CALL_FORMAT,
            _PRINCIPLES,
            _CUE,
        ),
    ),
    Layout(
        "0.3.16",
        (),
        "",
        Order((_TEMPLATE, *_TASK, *_tools(False), *_KNOWLEDGE), _GROUPS),
        headings=True,
        tails=(_CUE,),
    ),
    Layout(
        "0.3.20",
        ("You are an expert AI agent controlling a multi-context software application.",),
        "### Unprocessed Inputs\n<unprocessed-inputs>",
        Order((_TEMPLATE, *_SITUATION, *_tools(False), *_KNOWLEDGE), _GROUPS),
        headings=True,
        tails=(_CUE,),
    ),
    Layout("seed", (), "", Order(_PAGE), tails=(Lead("Respond with:", "format", "Response Format"),)),
)
_BY_ID = {layout.id: layout for layout in LAYOUTS}


def by_first_words(text: str) -> Layout | None:
    """The layout by the prompt's first words. 0.3.16 and 0.3.20 share theirs."""
    words = text[:400].lstrip()
    found = next((layout for layout in LAYOUTS if words.startswith(layout.first)), None)
    return _earlier(text) if found and found.id == "0.3.20" else found


def by_boundaries(text: str) -> Layout | None:
    """The layout of a prompt with other first words, by boundaries that it must have."""
    for layout in LAYOUTS:
        if layout.boundary and line_start(text, layout.boundary, 0, len(text)) >= 0:
            return _earlier(text) if layout.id in ("0.3.13", "0.3.20") else layout
    if line_start(text, "<available-actions>", 0, len(text)) < 0:
        return None
    if line_start(text, "Here is the current working memory:", 0, len(text)) >= 0:
        return _BY_ID["0.3.9" if line_start(text, _CALL_FORMAT.words, 0, len(text)) >= 0 else "0.3.0"]
    others = ("<contexts>", "<updates>", "<working-memory>")
    return _BY_ID["seed"] if any(line_start(text, tag, 0, len(text)) >= 0 for tag in others) else None


def layout_of(text: str) -> Layout | None:
    """The layout of a prompt, or None for one that a prompt builder of one's own made."""
    return by_first_words(text) or by_boundaries(text)


def tail_of(text: str, layout: Layout) -> int:
    """Where the fixed words begin that end the prompt: the last such place behind all sections."""
    last = layout.order.stops[-1].tag
    for lead in layout.tails:
        place = text.rfind(f"\n{lead.words}")
        if place >= 0 and line_start(text, f"</{last}>", place, len(text)) < 0:
            return place + 1
    return len(text)


def _earlier(text: str) -> Layout:
    """Which of the layouts with markdown headings a prompt has: the first boundary is the true one."""
    task = line_start(text, "### Active Task\n<current-task>", 0, len(text))
    inputs = line_start(text, "### Unprocessed Inputs\n<unprocessed-inputs>", 0, len(text))
    if task < 0 or 0 <= inputs < task:
        return _BY_ID["0.3.20"]
    top = line_start(text, "## Primary Objective", 0, task)
    return _BY_ID["0.3.16" if top >= 0 else "0.3.13"]
