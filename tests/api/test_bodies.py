"""Bodies as real servers hand them over, which the test client does not do."""

import gzip
import io
import json
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.urls import resolve

from tests.api.conftest import Place

pytestmark = pytest.mark.django_db


def post(place: Place, body: bytes, **environ: Any) -> tuple[int, Any]:
    """Status and JSON of POST /turns, from a request as a server makes it."""
    request = WSGIRequest(
        {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": "/api/v1/turns",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "wsgi.input": io.BytesIO(body),
            "wsgi.url_scheme": "http",
            "wsgi.input_terminated": True,
            "HTTP_AUTHORIZATION": f"Bearer {place.reader.token}",
            **environ,
        }
    )
    answer = resolve("/api/v1/turns").func(request)
    return answer.status_code, json.loads(answer.content)


def test_a_body_in_chunks_without_a_length_is_read_to_its_end(ours: Place) -> None:
    body = json.dumps({"id": "t", "prompt": "x" * 200_000}).encode()
    assert post(ours, body, HTTP_TRANSFER_ENCODING="chunked")[0] == 201
    assert ours.reader.get("/turns/t/record").content == body
    assert (
        post(ours, gzip.compress(body), HTTP_TRANSFER_ENCODING="chunked", HTTP_CONTENT_ENCODING="gzip")[0]
        == 200
    )


def test_a_body_in_chunks_is_bounded_too(ours: Place, settings: Any) -> None:
    settings.MAX_BODY = 10_000
    status, answer = post(ours, b"x" * 20_000, HTTP_TRANSFER_ENCODING="chunked")
    assert (status, answer["error"]["code"]) == (413, "too_large")


def test_an_empty_body_without_a_length_is_refused(ours: Place) -> None:
    assert post(ours, b"")[0] == 400


def test_no_more_is_read_than_the_length_says(ours: Place) -> None:
    body = b'{"prompt": "Hi"}'
    assert post(ours, body + b"the next request", CONTENT_LENGTH=str(len(body)))[0] == 201


def test_a_body_shorter_than_its_length_is_refused_and_not_shortened(ours: Place) -> None:
    status, answer = post(ours, b'{"prompt": "Hi"}', CONTENT_LENGTH="500")
    assert (status, answer["error"]["code"]) == (400, "body_cut_off")
    assert answer["error"]["detail"] == {"announced": 500, "actual": 16}


@pytest.mark.parametrize("length", ["", "-1", "abc", "9" * 30, "1e3"])
def test_an_odd_length_is_no_fault_of_ours(ours: Place, length: str) -> None:
    assert post(ours, b'{"prompt": "Hi"}', CONTENT_LENGTH=length)[0] in (201, 400, 413)
