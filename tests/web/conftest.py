"""The cast and a session of three turns."""

import pytest
from django.core.cache import cache

from inspector.store.models import Turn
from tests.web.cast import Cast, gathered
from tests.web.prompts import payload


@pytest.fixture
def cast(db: None) -> Cast:
    """Owner, member, viewer, stranger and somebody who is not signed in."""
    cache.clear()
    return gathered()


@pytest.fixture
def turns(cast: Cast) -> list[Turn]:
    """Three read turns of one session."""
    return [cast.post(payload(number)) for number in (1, 2, 3)]
