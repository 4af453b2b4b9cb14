"""The API itself: its calls, its errors, its description."""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI

from inspector import __version__
from inspector.api import faults, kinds, lineage, posting, reading, search, sessions, shares
from inspector.api.shapes import SHAPES

ABOUT = """Agents post each rendered prompt with the model's response; people and programs ask what was in it.

Every call needs a key of a project: `Authorization: Bearer pi_…`. Bodies may be compressed with gzip or zstd.
Errors are always `{"error": {"code", "message", "detail"}}`."""

api = NinjaAPI(
    title="Prompt Inspector",
    version=__version__,
    description=ABOUT,
    docs_url=None,
    openapi_url=None,
    urls_namespace="api",
)
for router in (
    posting.router,
    reading.router,
    lineage.router,
    sessions.router,
    search.router,
    shares.router,
    kinds.router,
):
    api.add_router("", router)
api.add_exception_handler(Exception, faults.answer_to)
for kind, *_ in faults.TABLE:
    # The framework has its own handlers for some of these, and asks for the nearest class first.
    api.add_exception_handler(kind, faults.answer_to)


@cache
def description() -> dict[str, Any]:
    """The OpenAPI document."""
    document: dict[str, Any] = dict(api.get_openapi_schema(path_prefix="api/v1/"))
    document["components"]["schemas"] |= SHAPES
    return document


def answer(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """A wrong method in the API's own words; anything else as it is."""
    if response.status_code == 405:
        return faults.wrong_method(response.headers.get("Allow", ""))
    return response
