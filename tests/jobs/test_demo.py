"""The demo's sessions: the same each time, read without a stumble, with the faults they are meant to show."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from inspector.jobs import reading
from inspector.jobs.demo import SESSIONS
from inspector.store import records
from inspector.store.models import Finding, Project, ResultLink, Session, Turn
from inspector.turns.payload import check

SHOWN = {
    "demo:harbour-desk": {
        "unknown-action",
        "wrong-type",
        "dangling-reference",
        "forged-boundary",
        "invisible-characters",
        "prose-instead-of-structure",
        "unresolved-placeholder",
        "truncated-response",
        "stray-text",
    },
    "demo:reprint-desk": {"missing-argument", "unknown-action", "secret"},
    "demo:greenhouse": {"invalid-json", "unknown-action", "forged-boundary"},
    "demo:kite-simulator": {"wrong-type", "unknown-action", "empty-response"},
}
"""Rules that must speak in each session."""


def run(*arguments: str) -> str:
    output = io.StringIO()
    call_command("demo", *arguments, stdout=output)
    return output.getvalue()


@pytest.fixture
def project(db: None) -> Project:
    reading.forget()
    records.forget()
    return Project.objects.create(name="First", slug="first")


def test_the_sessions_are_the_same_each_time_and_valid_turns() -> None:
    for _, turns in SESSIONS:
        assert json.dumps(turns()) == json.dumps(turns())
        assert 8 <= len(turns()) <= 12
        for payload in turns():
            check(payload)


def test_loading_reads_every_turn_and_says_where_to_look(project: Project) -> None:
    said = run()
    assert Session.objects.count() == 4
    assert set(Turn.objects.values_list("state", flat=True)) == {"read"}
    assert not Finding.objects.filter(rule="reading-failed").exists()
    for session in Session.objects.all():
        assert f"/p/first/s/{session.short_id}/" in said


@pytest.mark.parametrize("key", SHOWN)
def test_each_session_shows_its_faults(project: Project, key: str) -> None:
    run()
    found = set(Finding.objects.filter(session__key=key).values_list("rule", flat=True))
    assert found >= SHOWN[key]


@pytest.mark.parametrize(
    ("key", "dialect", "layouts"),
    [
        ("demo:harbour-desk", "daydreams", {"0.3.20"}),
        ("demo:reprint-desk", "ankole", {"seed"}),
        ("demo:greenhouse", "hive", {"generation", "pursuit"}),
        ("demo:kite-simulator", "llm-agent", {"baked", "context", "compaction"}),
    ],
)
def test_each_session_is_known_for_the_framework_it_imitates(
    project: Project, key: str, dialect: str, layouts: set[str]
) -> None:
    run()
    turns = Turn.objects.filter(session__key=key)
    assert set(turns.values_list("dialect", flat=True)) == {dialect}
    assert set(turns.values_list("layout", flat=True)) == layouts


def test_calls_find_their_results(project: Project) -> None:
    run()
    for key, _ in SESSIONS:
        assert ResultLink.objects.filter(turn__session__key=key).exists(), key


def test_loading_again_changes_nothing(project: Project) -> None:
    run()
    before: list[Any] = list(Turn.objects.order_by("pk").values_list("pk", "digest"))
    assert run().startswith("0 turns loaded")
    assert list(Turn.objects.order_by("pk").values_list("pk", "digest")) == before


def test_removing_leaves_what_is_not_ours(project: Project) -> None:
    run()
    other = Project.objects.create(name="Other", slug="other")
    run("--project", "other")
    assert run("--remove").startswith("4 sessions removed")
    assert not Turn.objects.filter(project=project).exists()
    assert Session.objects.filter(project=other).count() == 4
    assert run("--remove").startswith("0 sessions removed")
    assert run().startswith(f"{sum(len(turns()) for _, turns in SESSIONS)} turns loaded")


def test_an_unknown_project_is_said(project: Project) -> None:
    with pytest.raises(CommandError, match="no project 'nowhere'"):
        run("--project", "nowhere")
