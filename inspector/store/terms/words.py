"""Text as the words that both databases index: the same on each, since neither gets to split text itself.

A word is a run of letters, digits and underscores, in lower case. Runs of Chinese, Japanese and Korean
characters become overlapping pairs. What the databases see is ASCII: other words are written as ``$`` and
the hexadecimal of their UTF-8, of which a prefix is still a prefix.
"""

import re
import unicodedata
from collections.abc import Iterator

VERSION = 1
"""Goes up when the same text would give other words: index rows are taken out by the words put in."""
MAX_CHARS = 48
"""Of one word; the rest is cut off, in the index and in the question alike."""

_WORD = re.compile(r"\w++")
_CJK = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]++"
)
_CAMEL = re.compile("[a-z][A-Z]")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]++|[0-9]++")


def words(text: str) -> list[str]:
    """The words of a text in order, as the index has them."""
    return _words(_WORD.findall(text))


def spans(text: str) -> Iterator[tuple[str, int, int]]:
    """The words of a text as they stand, with their places."""
    for match in _WORD.finditer(text):
        yield match.group(), match.start(), match.end()


def parts(text: str) -> list[str]:
    """The parts of identifiers, ``getUserName`` and ``order_id``, in order; of each identifier once."""
    return _parts(_WORD.findall(text))


def words_and_parts(text: str) -> tuple[list[str], list[str]]:
    """Both at the price of one."""
    found = _WORD.findall(text)
    return _words(found), _parts(found)


def owner_term(project_id: int) -> str:
    """The word that every row of a project has and no text can contain."""
    return f"$p{project_id}"


def asked(text: str, *, prefix: bool = False) -> list[str]:
    """The words of a question; a lone CJK character stands for every pair that it begins."""
    found = words(text)
    if not prefix and len(text.strip()) == 1 and _CJK.fullmatch(text.strip()):
        return found
    return [word for word in found if not _is_lone_end(word, found)]


def _words(found: list[str]) -> list[str]:
    joined = " ".join(found)
    if not joined.isascii():
        return [written for word in found for written in _written(word)]
    lowered = joined.lower().split()
    longest = max(map(len, lowered), default=0)
    return lowered if longest <= MAX_CHARS else [word[:MAX_CHARS] for word in lowered]


def _parts(found: list[str]) -> list[str]:
    joined = " ".join(found)
    if "_" not in joined and not _CAMEL.search(joined):
        return []
    made: list[str] = []
    for word in dict.fromkeys(found):
        if ("_" in word or not word.islower()) and word.isascii() and ("_" in word or _CAMEL.search(word)):
            pieces = _PART.findall(word)
            if len(pieces) > 1:
                made.extend(piece.lower()[:MAX_CHARS] for piece in pieces)
    return made


def _is_lone_end(word: str, found: list[str]) -> bool:
    # The last character of a run is indexed on its own too; in a question the pair before says it already.
    return (
        len(found) > 1
        and word.startswith("$")
        and len(bytes.fromhex(word[1:]).decode()) == 1
        and word == found[-1]
    )


def _written(word: str) -> Iterator[str]:
    if word.isascii():
        yield word.lower()[:MAX_CHARS]
        return
    word = unicodedata.normalize("NFKC", word).casefold()
    at = 0
    for run in _CJK.finditer(word):
        if run.start() > at:
            yield _plain(word[at : run.start()])
        characters = run.group()
        for index in range(len(characters)):
            yield _coded(characters[index : index + 2])
        at = run.end()
    if at < len(word):
        yield _plain(word[at:])


def _plain(word: str) -> str:
    return word[:MAX_CHARS] if word.isascii() and _WORD.fullmatch(word) else _coded(word)


def _coded(word: str) -> str:
    return "$" + word[: MAX_CHARS // 4].encode("utf-8", "surrogatepass").hex()
