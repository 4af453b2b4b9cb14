"""Who is counted when tries are: the visitor, not the proxy, and nobody that a header invents."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client, RequestFactory

from inspector.web.throttle import address_of


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "203.0.113.9", "127.0.0.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "invented, 203.0.113.9", "203.0.113.9"),
        (2, "invented, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        (2, "203.0.113.9", "127.0.0.1"),
        (1, "", "127.0.0.1"),
    ],
)
def test_only_trusted_proxies_are_believed(
    rf: RequestFactory, settings: Any, proxies: int, forwarded: str, expected: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert address_of(rf.get("/", headers={"X-Forwarded-For": forwarded})) == expected


@pytest.mark.django_db
def test_guessing_links_is_slowed_down(client: Client) -> None:
    cache.clear()
    answers = {client.get(f"/sign-in/no-such-token-{number}").status_code for number in range(12)}
    assert answers == {404, 429}
