"""The image and the compose file, as far as they can be judged without an engine."""

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.operations.compose import command_of, compose
from tests.processes import ROOT

DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8")
STEPS = [line.split(maxsplit=1) for line in DOCKERFILE.splitlines() if re.match(r"[A-Z]+ ", line)]
OURS = ("setup", "web", "worker", "beat")


def service(name: str) -> dict[str, Any]:
    """One service of the compose file."""
    found = compose()["services"][name]
    assert isinstance(found, dict)
    return found


def test_image_installs_only_what_the_lock_file_proves() -> None:
    installs = re.findall(r"pip install[^\n]*", DOCKERFILE)
    assert installs
    assert all("--require-hashes" in line for line in installs)


def test_image_runs_without_rights() -> None:
    names = [name for name, _ in STEPS]
    last_user = next(value for name, value in reversed(STEPS) if name == "USER")
    assert last_user not in ("root", "0")
    assert names.index("USER") < names.index("CMD")


def test_image_starts_its_program_directly_so_that_signals_reach_it() -> None:
    command = next(value for name, value in STEPS if name == "CMD")
    assert command.startswith("[")


def test_everything_that_the_image_copies_exists_and_is_not_ignored() -> None:
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert allowed[0] == "*"
    sources = [value.split()[0] for name, value in STEPS if name == "COPY" and not value.startswith("--from")]
    assert sources
    for source in sources:
        assert (ROOT / source).exists(), source
        assert f"!{source}" in allowed, source


@pytest.mark.parametrize("name", OURS)
def test_our_services_write_nowhere_and_have_no_capabilities(name: str) -> None:
    assert service(name)["read_only"] == "true"
    assert service(name)["cap_drop"] == ["ALL"]
    assert service(name)["tmpfs"] == ["/tmp"]


@pytest.mark.parametrize("name", OURS)
def test_commands_name_programs_that_the_requirements_bring(name: str) -> None:
    program = command_of(name)[0]
    assert shutil.which(program, path=str(Path(sys.executable).parent)), program


def test_no_secret_is_written_down_and_missing_ones_are_asked_for() -> None:
    text = (ROOT / "docker" / "compose.yml").read_text(encoding="utf-8")
    for line in text.splitlines():
        if re.search(r"(PASSWORD|SECRET_KEY):", line):
            assert re.search(r"\$\{\w+:\?", line), line


def test_every_service_that_is_waited_for_exists_and_can_say_that_it_is_ready() -> None:
    services = compose()["services"]
    waited = {
        (other, how["condition"])
        for one in services.values()
        for other, how in (one.get("depends_on") or {}).items()
    }
    assert {other for other, _ in waited} <= set(services)
    assert all(
        "healthcheck" in services[other] for other, condition in waited if condition == "service_healthy"
    )


def test_redis_evicts_nothing() -> None:
    command = command_of("redis")
    assert command[command.index("--maxmemory-policy") + 1] == "noeviction"


def test_images_have_versions() -> None:
    bases = [value.split()[0] for name, value in STEPS if name == "FROM"]
    others = [one["image"] for name, one in compose()["services"].items() if name not in OURS]
    assert all(re.search(r":\d", image) for image in bases + others), bases + others
