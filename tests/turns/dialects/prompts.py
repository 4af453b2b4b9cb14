"""Made-up Daydreams prompts of layout 0.3.20, part by part."""

SYSTEM = "You are an expert AI agent controlling a multi-context software application.\n\n"
PARTS = (
    ("## CURRENT SITUATION\n\n### Unprocessed Inputs\n", "unprocessed-inputs", "No unprocessed inputs."),
    ("### Pending Operations\n", "pending-operations", "No operations in progress."),
    ("### Recent Action Results\n", "recent-action-results", "No recent action results."),
    ("### Context State\n", "context-state", '<context type="pot" key="1">\n<state>dry</state>\n</context>'),
    (
        "---\n\n## AVAILABLE TOOLS\n\n### Actions You Can Initiate\n",
        "available-actions",
        '<action name="water">\n<schema>{}</schema>\n</action>',
    ),
    ("### Output Methods\n", "available-outputs", '<output name="text">\n</output>'),
    (
        "---\n\n## CONTEXTUAL KNOWLEDGE\n\n### Relevant Prior Knowledge\n",
        "semantic-context",
        "No relevant memories found.",
    ),
    ("### Recent Interaction History\n", "recent-history", "No recent conversation history."),
    ("### Decision Context\n", "decision-context", "No recent reasoning available."),
)
TAGS = tuple(tag for _, tag, _ in PARTS)
CUE = "Now, generate your response. Begin with the opening <response> tag.\n\n"


def situation(**bodies: str) -> str:
    """The sections from the situation on, bodies by tag with underscores."""
    written = ""
    for lead, tag, body in PARTS:
        written += f"{lead}<{tag}>\n{bodies.get(tag.replace('-', '_'), body)}\n</{tag}>\n\n"
    return written


def prompt(**bodies: str) -> str:
    """A whole prompt."""
    return f"{SYSTEM}## Primary Objective\nAnswer <unprocessed-inputs> first.\n\n{situation(**bodies)}{CUE}"


def said(text: str) -> str:
    """Something that a user wrote, as an entry: nothing is escaped."""
    return f'<input name="text" timestamp="1">{text}</input>'
