"""Whether jobs and broker are set so that no work is lost or done over and over."""

import importlib
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from inspector.jobs import times


@register(Tags.security, deploy=False)
def check_times(**_: Any) -> list[CheckMessage]:
    """A task must end before its lease does, and the lease before the broker sends the task again."""
    ordered = times.SOFT_LIMIT < times.HARD_LIMIT < times.LEASE < times.VISIBILITY
    if ordered and times.EAGER < times.SOFT_LIMIT:
        return []
    hint = "Keep SOFT_LIMIT < HARD_LIMIT < LEASE < VISIBILITY in inspector/jobs/times.py."
    return [Error("The time limits of jobs do not lie inside each other.", hint=hint, id="inspector.E010")]


@register("broker", deploy=True)
def check_broker(**_: Any) -> list[CheckMessage]:
    """Whether the broker answers and would drop hints; runs with ``check --deploy``."""
    if not settings.BROKER_URL:
        return []
    if not settings.BROKER_URL.startswith(("redis://", "rediss://")):
        return []
    try:
        redis = importlib.import_module("redis")
        with redis.Redis.from_url(settings.BROKER_URL, socket_connect_timeout=2, socket_timeout=2) as client:
            policy = client.config_get("maxmemory-policy").get("maxmemory-policy", "")
    except Exception as error:
        hint = "See INSPECTOR_BROKER_URL. Posting goes on without it; turns are read once it is back."
        problem = f"The broker does not answer ({type(error).__name__})."
        return [Warning(problem, hint=hint, id="inspector.W010")]
    if policy not in ("noeviction", ""):
        hint = "Set maxmemory-policy to noeviction. Hints that are dropped cost a few seconds, no turns."
        return [Warning(f"Redis may drop hints ({policy}).", hint=hint, id="inspector.W011")]
    return []
