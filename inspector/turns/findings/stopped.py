"""The rule on outputs that Daydreams does not send any more, because of one before them."""

from collections.abc import Iterator

from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Finding, Response

_LAYOUT = "0.3.9"
"""Layout of the versions that stop: 0.3.9 to 0.3.12."""


def _stopped(context: Context) -> Iterator[Finding]:
    response = context.response
    if context.dialect.name != "daydreams" or context.dialect.layout != _LAYOUT or response is None:
        return
    failed = next((output.index for output in response.outputs if output.status == "unknown"), None)
    before = next((read.seq for read in context.earlier if _has_failed(read.reading.response)), None)
    for output in response.outputs:
        if output.status == "unknown" or (before is None and (failed is None or output.index < failed)):
            continue
        since = f"in turn {before}" if before is not None else "above"
        yield OUTPUTS_STOPPED.finding(
            f"Output {shown(output.name)} is probably not sent: after the unknown output {since}, Daydreams "
            "sends none any more.",
            context.in_response(output.start, output.end),
            "Begin a new run, or take a version after 0.3.12.",
            {"output": output.index},
        )


def _has_failed(response: Response | None) -> bool:
    return response is not None and any(output.status == "unknown" for output in response.outputs)


OUTPUTS_STOPPED = Rule(
    "outputs-stopped",
    "warning",
    "Daydreams sends no more outputs",
    "In Daydreams 0.3.9 to 0.3.12 an output that is not offered stops all that come after it, in the same "
    "answer and in later turns of the session: they are read, and nobody gets them.\n\n"
    "What to do: begin a new run, or take a later version.",
    _stopped,
)
RULES = (OUTPUTS_STOPPED,)
