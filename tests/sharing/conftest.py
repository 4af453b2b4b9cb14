"""Each test begins as a fresh process would."""

import pytest
from django.core.cache import cache

from inspector.jobs import reading
from inspector.store import records


@pytest.fixture(autouse=True)
def _fresh() -> None:
    """Forget what was remembered of a database that has been rolled back."""
    cache.clear()
    reading.forget()
    records.forget()
