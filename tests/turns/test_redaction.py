"""Secrets and e-mail addresses: what is found, what is left alone, and at what cost."""

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.turns.redaction import _VALUES, HINTS, SHAPES, emails_in, mask, secrets_in
from inspector.turns.watch import Watch

MIXED = "a1B2c3D4e5F6g7H8i9J0"
"""Secrets are put together here, so that no scanner takes this file for a leak."""
SECRETS = [
    ("anthropic key", "sk-" + "ant-api03-" + MIXED * 3),
    ("openrouter key", "sk-" + "or-v1-" + MIXED * 2),
    ("openai key", "sk-" + "proj-" + MIXED * 2),
    ("openai key", "sk-" + MIXED * 2),
    ("stripe key", "sk_" + "live_" + MIXED),
    ("aws key id", "AKIA" + "Q4RTL2NNX7PD5WZK"),
    ("github token", "ghp_" + MIXED * 2),
    ("github token", "github" + "_pat_" + MIXED * 2),
    ("gitlab token", "glpat-" + MIXED),
    ("slack token", "xoxb-" + "123456789012-" + MIXED),
    ("google api key", "AIza" + MIXED + MIXED[:15]),
    ("google token", "ya29." + MIXED),
    ("hugging face token", "hf_" + MIXED + MIXED[:14]),
    ("groq key", "gsk_" + MIXED * 2),
    ("xai key", "xai-" + MIXED * 2),
    ("npm token", "npm_" + MIXED + MIXED[:16]),
    ("pypi token", "pypi-" + MIXED * 3),
    ("sendgrid key", "SG." + MIXED + "." + MIXED * 2),
    ("telegram token", "123456789:AA" + MIXED + MIXED[:13]),
    ("inspector key", "pi_" + MIXED),
    ("jwt", "eyJ" + "hbGciOiJ9.eyJ" + "zdWIiOiIx.c2lnbmF0dXJl" + MIXED),
    ("private key", "-----BEGIN " + "PRIVATE KEY-----\n" + MIXED + "\n" + MIXED),
    (
        "private key",
        "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIE\\nabc+/=\n-----END RSA " + "PRIVATE KEY-----",
    ),
]
AROUND = [
    ("slack webhook", "https://hooks.slack.com/services/", "T000/B000/" + MIXED, ""),
    ("aws secret key", 'aws_secret_access_key = "', MIXED * 2, '"'),
    ("azure key", "AccountName=x;AccountKey=", MIXED * 4 + "==", ";"),
    ("authorization header", "Authorization: Bearer ", "shorttok9", "\n"),
    ("authorization header", '"authorization": "Basic ', "dXNlcjpwYXNz", '"'),
    ("bearer token", "curl -H 'X: bearer ", MIXED, "'"),
    ("password in a url", "postgres://app:", "hunter2", "@db.local/x"),
    ("secret value", "password: ", "tr0ub4dor&3"[:9] + "x", "\n"),
    ("secret value", 'OPENAI_API_KEY="', MIXED, '"'),
    ("secret value", '\\"client_secret\\": \\"', MIXED, '\\"'),
]


@pytest.mark.parametrize(("name", "secret"), SECRETS)
def test_found_by_its_shape(name: Any, secret: str) -> None:
    text = f"The é key is {secret} and more text."
    found = secrets_in(text)
    assert [(text[start:end], kind) for start, end, kind in found] == [(secret, name)]


@pytest.mark.parametrize(("name", "before", "secret", "after"), AROUND)
def test_found_by_what_stands_before_it(name: Any, before: str, secret: str, after: str) -> None:
    text = f"…{before}{secret}{after}"
    assert (text.index(secret), text.index(secret) + len(secret), name) in secrets_in(text)


def test_every_shape_has_a_case() -> None:
    assert {name for name, _ in SHAPES} == {name for name, *_ in (*SECRETS, *AROUND)} - {"secret value"}


@pytest.mark.parametrize("pattern", [*(pattern for _, pattern in SHAPES), _VALUES.pattern])
@given(data=st.data())
def test_every_secret_comes_with_a_word_that_is_looked_for(pattern: str, data: st.DataObject) -> None:
    assert Watch(HINTS).seen(data.draw(st.from_regex(pattern, fullmatch=True)))


@pytest.mark.parametrize(
    "text",
    [
        "password: <your password>",
        "password=${DB_PASSWORD}",
        "api_key = os.environ['KEY']",
        'api_key="YOUR-API-KEY-1234"',
        "secret: ********",
        "The password is required and must be string",
        "task-list-of-many-words-in-a-row",
        "sk-learn-pipeline-with-many-steps",
        "use sk-model-large-v2 for this",
        "postgres://user:password@host/db",
        "postgres://user:{password}@host/db",
        "http://localhost:8000/path",
        "Authorization: see below",
        "Bearer authentication is described elsewhere",
        "pi_equals_three_point_one_four",
        "AKIA is a prefix",
        "eyJust.eyJoking.no",
        "access_token: string, optional",
        '{"api_key": {"type": "string"}}',
    ],
)
def test_left_alone(text: str) -> None:
    assert secrets_in(text) == []


def test_a_named_shape_counts_before_the_word_in_front_of_it() -> None:
    key = "sk-" + "ant-api03-" + MIXED * 2
    assert [name for *_, name in secrets_in(f"API_KEY={key}")] == ["anthropic key"]


def test_offsets_are_code_points_after_wide_characters_and_lone_surrogates() -> None:
    key = "AKIA" + "Q4RTL2NNX7PD5WZK"
    text = f"\U0001f600é\ud800 {key}\udfff"
    assert secrets_in(text) == [(4, 4 + len(key), "aws key id")]


def test_emails_are_found_apart_from_secrets() -> None:
    text = "Mail ann.o'neil@example.co.uk or <bob@x-y.org>, not a@b or @nobody."
    assert [text[start:end] for start, end, _ in emails_in(text)] == ["neil@example.co.uk", "bob@x-y.org"]
    assert secrets_in(text) == []


def test_mask_names_what_it_covers() -> None:
    text = f"key AKIA{'Q4RTL2NNX7PD5WZK'} of ann@example.org\ud800"
    assert mask(text, {"secrets"}) == "key [masked: aws key id] of ann@example.org\ud800"
    assert mask(text, {"emails"}).endswith("of [masked: e-mail address]\ud800")
    assert mask(text, {"aws key id"}).startswith("key [masked: aws key id] of ann")
    assert mask(text, {"jwt"}) == text
    assert mask(text, ()) == text


@given(st.text(st.one_of(st.sampled_from("sk-antAKIAeyJ.:/@=\"'\\ 0a"), st.characters()), max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_text_is_searched_and_finds_lie_inside_it_apart(text: str) -> None:
    at = 0
    for start, end, _ in secrets_in(text):
        assert at <= start < end <= len(text)
        at = end
    mask(text, {"secrets", "emails"})


@pytest.mark.parametrize(
    "piece",
    [
        "sk-",
        "eyJ",
        "eyJaaaaaaaaaa.",
        "-----BEGIN PRIVATE KEY-----",
        "password=",
        "bearer ",
        "http://a:",
        "a@a.aa ",
        "\ud800",
    ],
)
def test_hostile_megabytes_are_searched_in_linear_time(piece: str) -> None:
    """Anything quadratic takes hours here, so the bound need not be close."""
    text = piece * (4_000_000 // len(piece))
    start = time.perf_counter()
    mask(text, {"secrets", "emails"})
    assert time.perf_counter() - start < 30
