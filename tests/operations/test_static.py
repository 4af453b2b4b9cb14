"""Static files as a browser gets them: hashed names, compressed, kept for ever."""

import re
from collections.abc import Iterator

import pytest

from tests.processes import Running, serving

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    """A server."""
    with serving() as started:
        yield started


def files(running: Running) -> list[str]:
    """Paths of what the sign-in page loads."""
    page = running.ask("GET", "/sign-in/")
    assert page.status == 200
    return re.findall(r'(?:href|src)="(/static/[^"#]+)', page.body.decode())


def test_every_file_of_a_page_has_a_hashed_name_and_may_be_kept(running: Running) -> None:
    found = files(running)
    assert len(found) >= 3
    for path in found:
        assert re.search(r"\.[0-9a-f]{12}\.\w+$", path), path
        answer = running.ask("GET", path)
        assert answer.status == 200
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_text_files_come_compressed(running: Running) -> None:
    sheet = next(path for path in files(running) if path.endswith(".css"))
    answer = running.ask("GET", sheet, headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"


def test_nothing_outside_is_served(running: Running) -> None:
    for path in ("/static/../secret-key", "/static/%2e%2e/secret-key", "/static/", "/static/css/"):
        assert running.ask("GET", path).status in (400, 404), path


def test_nothing_is_served_that_no_page_of_ours_uses(running: Running) -> None:
    folders = {path.name for path in (running.home / "static").iterdir() if path.is_dir()}
    assert folders == {"css", "js", "vendor"}
