"""``manage.py read`` and ``manage.py compare``. Databases are closed to these tests: none is needed."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

OLD = {"id": "a", "session": "s", "prompt": "# Rules\nBe brief.\n", "response": "yes\x00\ud83d"}
NEW = {"id": "b", "session": "s", "prompt": "# Rules\nBe kind.\n"}


def write(path: Path, *turns: object) -> str:
    path.write_text("\n".join(map(json.dumps, turns)), encoding="ascii")
    return str(path)


def test_read_prints_one_reading_a_line(tmp_path: Path) -> None:
    out = io.StringIO()
    call_command("read", write(tmp_path / "t.jsonl", OLD, NEW), stdout=out)
    first, second = map(json.loads, out.getvalue().splitlines())
    assert first["response"]["text"] == OLD["response"]
    assert second["since_previous"]["turn"] == "a"


def test_read_says_how_many_lines_were_no_turns(tmp_path: Path) -> None:
    out = io.StringIO()
    failed = {"prompt": "p", "error": {"type": "overloaded", "message": "busy"}}
    with pytest.raises(CommandError, match="1 of the lines") as caught:
        call_command("read", write(tmp_path / "t.jsonl", OLD, [1], failed), stdout=out)
    assert caught.value.returncode == 1
    assert [json.loads(line).get("id") for line in out.getvalue().splitlines()] == ["a", None, "turn-2"]


def test_read_takes_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        buffer = io.BytesIO(json.dumps(OLD).encode())

    monkeypatch.setattr("sys.stdin", Input)
    out = io.StringIO()
    call_command("read", "-", stdout=out)
    assert json.loads(out.getvalue())["id"] == "a"


def test_compare_prints_the_changes(tmp_path: Path) -> None:
    out = io.StringIO()
    call_command("compare", write(tmp_path / "a.json", OLD), write(tmp_path / "b.json", NEW), stdout=out)
    answer = json.loads(out.getvalue())
    assert answer["summary"]["changed"] == 1
    assert answer["coarse"] is False


@pytest.mark.parametrize(("names", "code"), [(("a.json", "missing.json"), 2), (("a.json", "bad.json"), 1)])
def test_compare_fails_with_a_reason(tmp_path: Path, names: Any, code: Any) -> None:
    write(tmp_path / "a.json", OLD)
    write(tmp_path / "bad.json", {"id": "x"})
    with pytest.raises(CommandError) as caught:
        call_command("compare", *(str(tmp_path / name) for name in names))
    assert caught.value.returncode == code


def test_read_names_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"no.jsonl: No such file"):
        call_command("read", str(tmp_path / "no.jsonl"))
