"""Log lines: one line each, whatever is in them; nothing of prompts or tokens."""

import logging
import sys

import pytest
from django.db.utils import OperationalError

from inspector.jobs.logs import OneLine


def line(message: str, *args: object, error: BaseException | None = None) -> str:
    """The record as it would be written."""
    record = logging.LogRecord("inspector.test", logging.ERROR, __file__, 1, message, args, None)
    if error is not None:
        try:
            raise error
        except BaseException:
            record.exc_info = sys.exc_info()
    return OneLine().format(record)


@pytest.mark.parametrize(
    "hostile", ["a\nb", "a\rb", "a\x1b[31mb", "a\u202eb", "a\u2028b", "a\x85b", "a\ud800b", "a\x00b"]
)
def test_a_record_is_one_line_of_visible_characters(hostile: str) -> None:
    written = line("key %s", hostile)
    assert written.isprintable()
    assert len(written.splitlines()) == 1
    written.encode("utf-8")


def test_letters_of_every_script_stay_readable() -> None:
    assert line("agent %s", "Überblick 概要").endswith("agent Überblick 概要")


@pytest.mark.parametrize(
    "secret", ["/s/AbCdEf0123456789", "/sign-in/AbCdEf0123456789", "pi_AbCdEf0123456789"]
)
def test_tokens_are_cut(secret: str) -> None:
    assert "0123456789" not in line("Not Found: %s", secret)


def test_an_error_tells_its_type_and_place_but_not_what_it_quotes() -> None:
    written = line("failed", error=ValueError("S3CRET-in-a-prompt"))
    assert "ValueError" in written
    assert "test_logs.py" in written
    assert "S3CRET" not in written


def test_a_failed_celery_task_does_not_repeat_the_errors_words() -> None:
    try:
        raise ValueError("S3CRET-in-a-prompt")
    except ValueError:
        told = {"name": "inspector.read", "id": "1", "exc": "ValueError('S3CRET-in-a-prompt')"}
        text = "Task %(name)s[%(id)s] raised: %(exc)s"
        record = logging.LogRecord(
            "celery.app.trace", logging.ERROR, __file__, 1, text, (told,), sys.exc_info()
        )
    written = OneLine().format(record)
    assert "inspector.read" in written
    assert "ValueError" in written
    assert "S3CRET" not in written


def test_errors_about_the_machine_speak() -> None:
    assert "connection refused" in line("failed", error=OperationalError("connection refused"))
