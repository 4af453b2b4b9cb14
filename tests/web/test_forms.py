"""Every page that shows a form and takes it: only with the form's own token."""

import pytest
from django.db import transaction
from django.test import Client

from inspector.store.models import Member, Share, Turn
from tests.web.cast import Cast
from tests.web.test_access import ROUTES, Things, things

__all__ = ["things"]

ASKING = (
    *("projects", "account", "share", "sign-in", "sign-in-link"),
    *("revoke", "key-revoke", "member-remove", "turn-delete", "session-delete", "project-delete"),
)


def test_every_page_that_takes_a_form_is_known(cast: Cast, things: Things) -> None:
    taking = set()
    for name, route in ROUTES.items():
        path = route.path.format(**{n: getattr(things, n) for n in Things.__dataclass_fields__})
        with transaction.atomic():
            if route.method == "get" and cast.owner.post(path).status_code != 405:
                taking.add(name)
            transaction.set_rollback(True)
    assert taking == set(ASKING)


@pytest.mark.parametrize("name", ASKING)
def test_a_page_that_takes_a_form_refuses_it_without_its_token(name: str, cast: Cast, things: Things) -> None:
    path = ROUTES[name].path.format(**{n: getattr(things, n) for n in Things.__dataclass_fields__})
    client = Client(enforce_csrf_checks=True)
    client.force_login(Member.objects.get(project=cast.project, role="owner").user)
    assert client.post(path).status_code == 403
    assert Share.objects.get(pk=things.share).revoked_at is None
    assert Turn.objects.filter(key=things.turn).exists()
