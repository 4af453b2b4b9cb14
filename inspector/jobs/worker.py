"""The Celery app of team mode: ``celery --app=inspector.jobs.worker worker`` and ``… beat``.

Tasks carry turn ids and are hints only. Whatever is lost, sent twice or done twice changes nothing.
"""

import os
from collections.abc import Callable
from typing import Any

from celery import Celery
from django.conf import settings

from inspector.jobs import times

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "inspector.settings")

INCLUDE = ["inspector.jobs.tasks"]
"""Every module with tasks, by hand."""

CONFIG: dict[str, Any] = {
    "broker_url": settings.BROKER_URL,
    "accept_content": ["json"],
    "task_serializer": "json",
    "result_backend": None,
    "task_ignore_result": True,
    "task_acks_late": True,
    # A task that kills its worker must not come back for ever; the tables know that its turns are due.
    "task_reject_on_worker_lost": False,
    "task_soft_time_limit": times.SOFT_LIMIT,
    "task_time_limit": times.HARD_LIMIT,
    "task_publish_retry": True,
    "task_publish_retry_policy": {
        "max_retries": 2,
        "interval_start": 0,
        "interval_step": 0.2,
        "interval_max": 0.5,
    },
    "worker_prefetch_multiplier": 1,
    "worker_hijack_root_logger": False,
    "broker_connection_retry_on_startup": True,
    "broker_transport_options": {
        "visibility_timeout": times.VISIBILITY,
        "socket_connect_timeout": 2,
        "socket_timeout": 10,
        "socket_keepalive": True,
    },
    "timezone": "UTC",
    "beat_schedule": {
        # Expires before the next one is sent, so that a worker that was away finds one, not thousands.
        "sweep": {"task": "inspector.sweep", "schedule": times.SWEEP, "options": {"expires": times.SWEEP}},
        "retention": {
            "task": "inspector.retention",
            "schedule": times.HOURLY,
            "options": {"expires": times.HOURLY},
        },
        "expiry": {
            "task": "inspector.expiry",
            "schedule": times.HOURLY,
            "options": {"expires": times.HOURLY},
        },
    },
}

app = Celery("inspector", include=INCLUDE)
app.config_from_object(CONFIG)


def task[**P, R](name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register a function as the task of this name; it stays callable as what it is."""

    def register(function: Callable[P, R]) -> Callable[P, R]:
        app.task(function, name=name)
        return function

    return register


def publish(turn_ids: list[int]) -> None:
    """Send a hint that these turns are to be read. Raises when the broker can't be reached."""
    app.send_task("inspector.read", args=[turn_ids], expires=times.VISIBILITY)
