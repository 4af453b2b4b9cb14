"""The exact text of a response, or of one call or output of it: what Copy copies."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from inspector.store.errors import NotFound
from inspector.store.queries import turn_for
from inspector.store.readings import read_turn_of
from inspector.turns.turn import Call, Output
from inspector.web.downloads import as_text
from inspector.web.faults import translated
from inspector.web.person import signed_in


@require_safe
@signed_in
@translated
def response_text(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The response's text without its prefill; ``call`` or ``output``: the raw text of that one."""
    response = read_turn_of(turn_for(request.user, slug, key)).reading.response
    if response is None:
        raise NotFound("There is no response yet.")
    if "call" in request.GET:
        return as_text(_raw(response.calls, request.GET["call"]))
    if "output" in request.GET:
        return as_text(_raw(response.outputs, request.GET["output"]))
    return as_text(response.text[response.prefill_chars :])


def _raw(said: Sequence[Call | Output], index: str) -> str:
    known = {str(item.index): item.raw for item in said}
    if index not in known:
        raise NotFound("The response has no such call or output.")
    return known[index]
