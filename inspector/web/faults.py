"""Domain errors to pages: the one place where they become HTTP."""

from collections.abc import Callable

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase

from inspector.sharing.errors import LinkGone, OutOfScope
from inspector.store.errors import BadQuery, Forbidden, NotFound

ANSWERS: tuple[tuple[type[Exception], type[Exception]], ...] = (
    (NotFound, Http404),
    (LinkGone, Http404),
    (OutOfScope, Http404),
    (Forbidden, PermissionDenied),
    (BadQuery, BadRequest),
)


def translated(
    view: Callable[..., HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """The view, with errors of the rooms below as Django's own, which have pages."""

    def answer(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
        try:
            return view(request, *args, **named)
        except tuple(known for known, _ in ANSWERS) as error:
            kind = next(shown for known, shown in ANSWERS if isinstance(error, known))
            raise kind(str(error)) from error

    answer.__name__ = getattr(view, "__name__", "view")
    return answer
