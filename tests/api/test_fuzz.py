# ruff: noqa: E501 - strategies read best in one line
"""Whatever is posted: never a 5xx, always JSON, and what was accepted comes back byte for byte and is read."""

import json
import math
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.store.models import Turn
from tests.api.conftest import Place, read_all

pytestmark = pytest.mark.django_db
EXAMPLES = settings(
    max_examples=int(os.environ.get("INSPECTOR_TEST_EXAMPLES", "120")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

TEXT = st.text(st.characters(codec=None), max_size=40) | st.sampled_from(
    [
        "",
        "\x00",
        "\ud83d",
        "<response>",
        "# Role\n<a>\n</a>",
        "{{calls[0].x}}",
        "```json\n{",
        "\u202e",
        "a" * 300,
    ]
)
NUMBERS = st.integers() | st.floats() | st.sampled_from([2**64, -(2**63), 10**400, 1e308, -0.0])
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "user", "assistant", "tool"]) | TEXT, "content": TEXT | JSON},
    optional={"name": TEXT, "tool_calls": JSON, "tool_call_id": JSON, "parts": JSON},
)
FIELDS = {
    "id": st.sampled_from(["a", "a:1", "a/b"]) | TEXT,
    "session": st.sampled_from(["s", "t"]) | TEXT,
    "agent": TEXT,
    "parent": TEXT,
    "prompt": TEXT,
    "messages": st.lists(MESSAGE, max_size=3),
    "request": st.fixed_dictionaries({}, optional={"messages": st.lists(MESSAGE, max_size=2) | JSON, "system": JSON, "contents": JSON, "input": JSON, "tools": JSON, "model": JSON}),
    "response": TEXT | JSON | st.fixed_dictionaries({"choices": JSON | st.lists(st.fixed_dictionaries({"message": MESSAGE}), max_size=2)}),
    "prefill": TEXT,
    "tools": JSON,
    "model": TEXT,
    "provider": TEXT,
    "usage": JSON,
    "started_at": TEXT | NUMBERS | st.datetimes().map(str),
    "ended_at": TEXT | NUMBERS,
    "finish_reason": TEXT,
    "error": TEXT | JSON,
    "results": st.lists(st.fixed_dictionaries({"call": st.integers() | TEXT, "value": JSON}), max_size=2),
    "dialect": TEXT | st.sampled_from(["daydreams", "generic"]),
    "tags": st.dictionaries(TEXT, TEXT, max_size=2),
    "metadata": JSON,
}  # fmt: skip
PROPER = st.fixed_dictionaries({}, optional=FIELDS)
"""Fields of the right sort, mostly."""
CONFUSED = st.dictionaries(st.sampled_from(sorted(FIELDS)) | TEXT, JSON, max_size=6)
"""Any value in any field."""


def strict(content: bytes) -> Any:
    return json.loads(content, parse_constant=lambda name: pytest.fail(f"{name} in an answer"))


@EXAMPLES
@given(turn=PROPER | CONFUSED | JSON)
def test_any_json(ours: Place, turn: Any) -> None:
    body = json.dumps(turn).encode()
    answer = ours.poster.post("/turns", body)
    assert answer.status_code in (200, 201, 400, 409), answer.content
    shown = strict(answer.content)
    if answer.status_code != 201:
        assert answer.status_code == 200 or set(shown["error"]) == {"code", "message", "detail"}
        return
    read_all()
    row = Turn.objects.get(key=shown["id"])
    assert row.state == Turn.State.READ or row.problem, row.state
    assert ours.reader.get(f"/turns/{shown['id']}/record").content == body
    for path in (
        f"/turns/{shown['id']}",
        f"/sessions/{shown['session_id']}",
        f"/sessions/{shown['session_id']}/turns",
    ):
        told = ours.reader.get(path)
        assert told.status_code == 200, told.content
        strict(told.content)


@EXAMPLES
@given(body=st.binary(max_size=60) | st.binary(max_size=20).map(lambda tail: b'{"prompt": "' + tail + b'"}'))
def test_any_bytes(ours: Place, body: bytes) -> None:
    for path in ("/turns", "/turns/batch", "/turns/a/response", "/turns/a/results", "/read", "/shares"):
        answer = ours.reader.post(path, body)
        assert answer.status_code < 500, (path, answer.content)
        strict(answer.content)


@EXAMPLES
@given(turn=PROPER, previous=PROPER)
def test_anything_is_read_without_keeping(
    ours: Place, turn: dict[str, Any], previous: dict[str, Any]
) -> None:
    answer = ours.poster.post("/read", turn | {"previous": previous})
    assert answer.status_code in (200, 400), answer.content
    strict(answer.content)


@EXAMPLES
@given(turns=st.lists(PROPER | CONFUSED | JSON, max_size=4))
def test_a_batch_of_anything_answers_for_each(ours: Place, turns: list[Any]) -> None:
    answer = ours.poster.post("/turns/batch", turns)
    assert answer.status_code == 200, answer.content
    results = strict(answer.content)["results"]
    assert len(results) == len(turns)
    assert all(result["status"] in (200, 201, 400, 409) for result in results)


@EXAMPLES
@given(
    text=TEXT,
    name=st.sampled_from(["q", "agent", "rule", "action", "model", "cursor", "session", "since", "limit"]),
)
def test_any_question(ours: Place, text: str, name: str) -> None:
    value = text.encode("utf-8", "replace").decode()
    for path in ("/sessions", "/search", "/versions"):
        answer = ours.reader.get(path, **({"q": "a"} | {name: value}))
        assert answer.status_code in (200, 400), (path, answer.content)
        strict(answer.content)


def test_the_checks_have_teeth() -> None:
    with pytest.raises(BaseException, match="NaN in an answer"):
        strict(json.dumps(math.nan).encode())
