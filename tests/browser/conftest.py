"""One Chromium and one installation with demonstration sessions for all browser tests of a process."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.watch import chromium, executable
from tests.processes import Running, serving
from tests.services import Missing


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    try:
        executable()
    except Missing as missing:
        if os.environ.get("INSPECTOR_TEST_ALL"):
            raise
        pytest.skip(f"{missing}; `make test` runs this one")
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    """A real server and worker whose project has the demonstration sessions, all read."""
    with serving() as started:
        started.manage("demo")
        started.wait_until_nothing_is_due()
        yield started
