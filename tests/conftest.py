"""What every test may use: servers of our own, and the switch that rewrites samples."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest

from tests import services


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update-samples`` rewrites the expected side of samples instead of comparing with it."""
    parser.addoption("--update-samples", action="store_true", help="rewrite tests/samples/**/*.expected.json")


@pytest.fixture
def update_samples(request: pytest.FixtureRequest) -> bool:
    """True when expected files are to be written, not compared."""
    return bool(request.config.getoption("--update-samples"))


def _server(name: str, start: AbstractContextManager[str]) -> Iterator[str]:
    """URL of the server that the runner started, or of one started for this process."""
    if url := os.environ.get(name):
        yield url
        return
    try:
        with start as url:
            yield url
    except services.Missing as missing:
        if os.environ.get("INSPECTOR_TEST_ALL"):
            raise
        pytest.skip(f"{missing}; `make test` runs this one")


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A real PostgreSQL server with a database to connect to."""
    yield from _server("INSPECTOR_TEST_POSTGRES", services.postgres())


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A real Redis server."""
    yield from _server("INSPECTOR_TEST_REDIS", services.redis())
