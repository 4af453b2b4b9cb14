"""One line per log record, whatever is in it, and nothing of what people posted or may use to come in."""

import logging
import re
import traceback
from collections.abc import Mapping

from django.core.exceptions import ImproperlyConfigured
from django.db.utils import OperationalError

SPEAKING_ERRORS = (OSError, ImportError, ImproperlyConfigured, OperationalError)
"""Errors whose message is about us. Any other message may quote a prompt: only its type is logged."""

_secrets = re.compile(r"(/s/|/sign-in/|\bpi_)[A-Za-z0-9_-]{6,}")


def one_line(text: str) -> str:
    """The text with characters escaped that could end the line, move the cursor or turn the direction."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def place(error: BaseException) -> str:
    """Type of an error and where it was raised, innermost call first."""
    frames = traceback.extract_tb(error.__traceback__)[-12:]
    calls = " < ".join(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    says = f" ({error})" if isinstance(error, SPEAKING_ERRORS) else ""
    return f"{type(error).__name__}{says} at {calls}" if calls else f"{type(error).__name__}{says}"


def message_of(record: logging.LogRecord) -> str:
    """What a record says; of a failed Celery task only its name, since Celery repeats the error's words."""
    if record.exc_info and record.name.startswith("celery.") and isinstance(record.args, Mapping):
        return f"task {record.args.get('name')} failed"
    return record.getMessage()


class OneLine(logging.Formatter):
    """``2026-11-30T12:00:00Z ERROR inspector.jobs: what happened``."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        when = self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z")
        message = message_of(record)
        if record.exc_info and record.exc_info[1]:
            message = f"{message}: {place(record.exc_info[1])}"
        return one_line(f"{when} {record.levelname} {record.name}: {_secrets.sub(r'\1…', message)}")
