"""Numbers in a query: what is not one counts as not given."""

from django.http import HttpRequest

LARGEST = 10**9


def number(request: HttpRequest, name: str) -> int | None:
    """A whole number from 0 on, or None."""
    text = request.GET.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        return None
    return min(int(text), LARGEST)
