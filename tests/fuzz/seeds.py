"""What fuzzing starts from: our samples and hostile texts as inputs of each target, and words to put in."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from inspector.turns import Turn, read_payload
from tests.fuzz.targets import MESSAGE, PART
from tests.turns.hostile import HOSTILE, RESPONSES

TESTS = Path(__file__).parent.parent
SIZE = 300
"""Length of a hostile seed: its shape is enough."""
WORDS = 600
"""Most words of the dictionary."""
_WORD = re.compile(
    r'</?[A-Za-z_][\w.-]*+>?|"[\w-]+"\s?:|\n#+ [^\n]{1,30}|\n[A-Z][\w ]{1,20}:|[<\[]\|[^|]{1,30}\|'
)
MAX_LENGTH = {
    "record": 12_000,
    "prompt": 6_000,
    "response": 3_000,
    "comparison": 4_000,
    "arguments": 2_000,
    "marks": 6_000,
}
"""Longest input of each target, in bytes."""


def seeds(target: str) -> list[bytes]:
    """The inputs that a target starts from. Where a first character picks a dialect, each picks another."""
    texts = list(_SEEDS[target]())
    if target in ("prompt", "response", "comparison"):
        texts = [chr(ord("0") + index % 70) + text for index, text in enumerate(texts)]
    return [text.encode("utf-8", "surrogateescape") for text in texts]


def dictionary() -> list[bytes]:
    """Words that the samples are made of, the frequent ones first."""
    found = Counter(word for text in (*_prompts(), *_answers()) for word in _WORD.findall(text))
    return [word.encode() for word, _ in found.most_common(WORDS)]


@cache
def _records() -> list[str]:
    """Payloads of all samples, without what they are expected to give."""
    paths = [*sorted(TESTS.glob("samples/**/*.json")), *sorted(TESTS.glob("turns/responses/samples/*.json"))]
    return [path.read_text() for path in paths if not path.name.endswith(".expected.json")]


@cache
def _turns() -> list[Turn]:
    return [read_payload(json.loads(text)) for text in _records()]


def _prompts() -> Iterator[str]:
    for turn in _turns():
        yield _utf_8(MESSAGE.join(message.text for message in turn.messages))
    for make in HOSTILE.values():
        yield _utf_8(make(SIZE))


def _answers() -> Iterator[str]:
    for turn in _turns():
        if turn.response is not None:
            yield _utf_8(f"{turn.prefill}{PART}{turn.response.text}")
            yield from (_utf_8(call.arguments) for call in turn.response.calls)
    for make in RESPONSES.values():
        yield _utf_8(make(SIZE))


def _pairs() -> Iterator[str]:
    half = MAX_LENGTH["comparison"] // 2 - 1
    before = ""
    for text in _prompts():
        yield f"{before[:half]}{PART}{text[:half]}"
        yield f"{text[:half]}{PART}{text[: half // 2]}x\n{text[half // 2 : half]}"
        before = text


def _utf_8(text: str) -> str:
    """A text whose lone surrogates are those that bytes that are not UTF-8 become."""
    return re.sub("[\ud800-\udfff]", "\udcff", text)


_SEEDS: dict[str, Callable[[], Iterator[str] | list[str]]] = {
    "record": _records,
    "prompt": _prompts,
    "response": _answers,
    "comparison": _pairs,
    "arguments": _answers,
    "marks": _prompts,
}
