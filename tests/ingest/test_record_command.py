"""``manage.py record``."""

import io
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from inspector.ingest.management.commands import record as command
from inspector.store import records
from inspector.store.models import Turn
from tests.store import made

pytestmark = pytest.mark.django_db


def record(*args: str, **options: str) -> tuple[str, str, CommandError | None]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("record", *args, stdout=out, stderr=err, **options)
    except CommandError as error:
        return out.getvalue(), err.getvalue(), error
    return out.getvalue(), err.getvalue(), None


def test_every_line_is_a_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "REPORT_EVERY", 1_000.0)
    made.project()
    file = tmp_path / "turns.jsonl"
    lines = [made.body(id=f"t{at}", session="s", prompt=made.growing(at)) for at in range(250)]
    file.write_bytes(b"\n".join(lines))
    said, complained, error = record(str(file))
    assert (complained, error) == ("", None)
    assert "250 turns recorded" in said
    records.forget()
    assert [records.record_of(turn) for turn in Turn.objects.order_by("seq")] == lines
    assert "250 were there already" in record(str(file))[0]


def test_a_long_file_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "REPORT_EVERY", -1.0)
    made.project()
    file = tmp_path / "turns.jsonl"
    file.write_bytes(b"\n".join(made.body(id=f"t{at}") for at in range(150)))
    complained = record(str(file))[1].splitlines()
    assert [re.sub(r"\d+ %", "% of it", line.split(": ")[1]) for line in complained] == [
        "100 lines (% of it)",
        "150 lines (% of it)",
    ]


def test_a_refused_line_is_named_and_spoils_no_other(tmp_path: Path) -> None:
    made.project()
    file = tmp_path / "turns.jsonl"
    file.write_bytes(made.body(id="a") + b"\n\nnonsense\n{}\n" + made.body(id="b") + b"\r\n")
    said, complained, error = record(str(file))
    assert "2 turns recorded" in said
    assert "2 refused" in said
    assert [line.split(": ")[0] for line in complained.splitlines()] == [f"{file}:3", f"{file}:4"]
    assert error is not None
    assert error.returncode == 1
    assert list(Turn.objects.order_by("pk").values_list("key", flat=True)) == ["a", "b"]


def test_a_line_that_is_too_long_is_refused_without_being_held(tmp_path: Path) -> None:
    made.project()
    file = tmp_path / "turns.jsonl"
    file.write_bytes(b'{"prompt": "' + b"x" * 50_000 + b'"}\n' + made.body(id="b") + b"\n")
    with override_settings(MAX_BODY=2_000):
        _, complained, _ = record(str(file))
    assert ":1: The body has more than 2,000 bytes" in complained
    assert list(Turn.objects.values_list("key", flat=True)) == ["b"]


def test_standard_input_and_a_named_project(monkeypatch: pytest.MonkeyPatch) -> None:
    made.project("one")
    made.project("two")
    assert "name one with --project" in str(record("-")[2])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(made.body(id="a"))))
    assert record("-", project="two")[2] is None
    assert Turn.objects.get().project.slug == "two"


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    assert "no project yet" in str(record("-")[2])
    made.project()
    assert "No such file" in str(record(str(tmp_path / "nothing"))[2])
    assert "no project 'x'" in str(record("-", project="x")[2])
