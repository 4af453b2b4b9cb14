"""What crawlers are told: nothing here is for them."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """The prefix of shared pages is named, tokens are not."""
    return HttpResponse("User-agent: *\nDisallow: /\n", content_type="text/plain")
