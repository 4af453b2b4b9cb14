"""Which path is answered where: machines under ``/api`` and ``/health``, people everywhere else."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from inspector.api import faults
from inspector.api.urls import urlpatterns as for_machines
from inspector.web.urls import urlpatterns as for_people

urlpatterns = [*for_machines, *for_people]


def _handler(status: int, page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """What Django calls when it refuses a request itself, or when a view failed."""

    def handled(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.path.startswith(("/api/", "/health/")):
            return faults.refused_outside(status)
        return page(request, *args, **kwargs)

    return handled


handler400 = _handler(400, defaults.bad_request)
handler403 = _handler(403, defaults.permission_denied)
handler404 = _handler(404, defaults.page_not_found)
handler500 = _handler(500, defaults.server_error)
