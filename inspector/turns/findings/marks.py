"""What a stretch of prompt text holds that rules on payloads, dates and orders care about; linear patterns.

Every pattern has bounded or possessive repeats and is asked only around a fixed word of it: looking for words
is many times faster than asking a pattern at each character.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from string import ascii_letters, digits

from inspector.turns.findings.scanning import HITS_MAX, Hit
from inspector.turns.watch import Watch

BLOB_FROM = 200
"""Shortest run of base64 that is told."""
_DATA_URL = re.compile(
    r"data:([\w.+-]{1,60}/[\w.+-]{1,60})(?:;charset=[\w-]{1,20})?;base64,[A-Za-z0-9+/=_-]{64,}+"
)
_RUN = re.compile(rf"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{{{BLOB_FROM},}}+={{0,2}}")
_WRAPPED = re.compile(r"^(?:[A-Za-z0-9+/]{60,76}+\r?\n){5,}+", re.MULTILINE)
_LEAST_RUN = b"x" * (BLOB_FROM // 2)
"""What is at least in any of them, by ``_IN_RUN``."""
_IN_RUN = bytes(ord("x") if chr(code) in f"{ascii_letters}{digits}+/\r\n" else 32 for code in range(256))
_CUT = re.compile(
    r"\[[^\[\]\n]{0,80}?\b(?:truncated|omitted|elided|clipped|cut off)\b[^\[\]\n]{0,80}\]"
    r"|<[^<>\n]{0,40}?\b(?:truncated|omitted|elided|clipped)\b[^<>\n]{0,60}>"
    r"|\((?:output |content |text |result )?truncated[^()\n]{0,60}\)"
    r"|\[?\b(?:output|content|file|result)s? \d[\d,.]{0,12} ?[KMG]?B, showing(?: only)? "
    r"\d[\d,.]{0,12} ?[KMG]?B",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"(?:\.\.\.|…)[ \t]{0,2}[(\[]?\d[\d,. ]{0,12}(?:more )?"
    r"(?:chars|characters|lines|bytes|tokens|items|rows)\b"
    r"(?: more)?(?: (?:truncated|omitted|elided|not shown))?",
    re.IGNORECASE,
)
_CUT_WORDS = ("truncated", "omitted", "elided", "clipped", "cut off", "showing")
_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s{1,3}"
    r"(?:(?:all|any|the|your|my|of|these|those|every)\s{1,3}){0,3}"
    r"(?:previous|prior|above|earlier|preceding|foregoing|system|original|former)\s{1,3}"
    r"(?:\w{1,20}\s{1,3}){0,2}"
    r"(?:instructions?|prompts?|rules|directions|directives|guidelines|commands|constraints)\b"
    r"|\byou are now (?:in )?(?:DAN\b|developer mode|jailbroken|unrestricted|in god mode)"
    r"|\b(?:reveal|print|repeat|output|leak) (?:me )?(?:your|the) "
    r"(?:entire |full |whole |hidden )?system prompt\b",
    re.IGNORECASE,
)
_ORDER_WORDS = ("ignore ", "disregard ", "forget ", "override ", "bypass ", "you are now", "system prompt")
_HIDING_WORDS = ("do not ", "don't ", "never ")
_TOKENS = ("<|im_start", "<|start", "<|system|>", "<<SYS>>")
BACK, AHEAD = 100, 200
"""Code points around a word in which its pattern is asked."""
_TEMPLATE_TOKEN = re.compile(
    r"<\|(?:im_start|start_header_id|start)\|>[ \t]{0,4}(?:system|developer)\b|<\|system\|>|<<SYS>>"
)
_HIDING = re.compile(
    r"\b(?:do not|don't|never)\s{1,3}(?:tell|inform|mention|reveal|alert|warn|notify)\s{1,3}"
    r"(?:\w{1,20}\s{1,3}){0,4}?(?:the|your)\s{1,3}(?:users?|owners?|humans?|operators?)\b",
    re.IGNORECASE,
)
_BRACES = re.compile(r"(?<![=$\w{])\{\{[ \t\n]{0,8}(['\"])[\w .-]{1,60}\1[ \t]{0,4}:")
_IDENTITY = re.compile(
    r"\b(user|session|account|tenant|customer|thread|conversation)[ _-]?id\b[\"'*` \t]{0,4}[:=]"
    r"[\"'*` \t]{0,4}([\w.@-]{3,64})",
    re.IGNORECASE,
)
_IDENTITY_WORDS = ("id:", "id=", 'id":', "id**:", "id`:", "id :", "id =", "id'")
LONGEST_NAME = 16
_NAMES = ("user", "session", "account", "tenant", "customer", "thread", "conversation")
_DOTS = ("...", "…")
WORDS = (*_CUT_WORDS, *_DOTS, *_ORDER_WORDS, *_TOKENS, *_HIDING_WORDS, *_IDENTITY_WORDS, ";base64,", "{{")
"""One of them is in everything that is found here, but for runs of base64."""


_WATCH = Watch(WORDS)


def marks_in(text: str, seen: frozenset[str] | None = None) -> tuple[Hit, ...]:
    """All that a text holds, one sort after the other. ``seen``: which of WORDS are in it, where known."""
    if seen is None:
        seen = _WATCH.seen(text)
    if seen.isdisjoint(WORDS):
        return tuple(islice(_blobs(text, seen), HITS_MAX))
    lowered = text.lower()
    if len(lowered) != len(text):  # some letters grow when lowered: then only what is lower case already
        lowered = text
    return (
        *islice(_blobs(text, seen), HITS_MAX),
        *islice(_cuts(text, lowered, seen), HITS_MAX),
        *islice(_orders(text, lowered, seen), HITS_MAX),
        *islice(_braces(text, seen), HITS_MAX),
        *islice(_identities(text, lowered, seen), HITS_MAX),
    )


def places_of(words: Sequence[str], text: str, seen: Collection[str]) -> Iterator[int]:
    """Where a text holds any of some words that were seen; only so often as honest texts do."""
    for word in words:
        if word not in seen:
            continue
        at = text.find(word)
        left = 20 + len(text) // 800
        while at >= 0 and left:
            yield at
            left -= 1
            at = text.find(word, at + len(word))


def _around(
    text: str, lowered: str, words: Sequence[str], pattern: re.Pattern[str], seen: Collection[str]
) -> Iterator[re.Match[str]]:
    """Matches of a pattern that hold one of its words, by place, none twice."""
    found: dict[int, re.Match[str]] = {}
    for at in places_of(words, lowered, seen):
        match = pattern.search(text, max(at - BACK, 0), at + AHEAD)
        if match is not None and match.start() <= at < match.end():
            found.setdefault(match.start(), match)
    yield from _apart(found)


def _apart(found: dict[int, re.Match[str]]) -> Iterator[re.Match[str]]:
    end = 0
    for start in sorted(found):
        if start >= end:
            end = found[start].end()
            yield found[start]


def _blobs(text: str, seen: Collection[str]) -> Iterator[Hit]:
    end = 0
    for at in places_of((";base64,",), text, seen):
        start = text.rfind("data:", max(at - BACK, end), at)
        match = _DATA_URL.match(text, start) if start >= 0 else None
        if match is not None and match.end() > at:
            end = match.end()
            yield Hit("blob", match.start(), end, f"a data: URL of {match[1]}")
    if _LEAST_RUN not in text[end:].encode("utf-8", "surrogatepass").translate(_IN_RUN):
        return
    for match in _RUN.finditer(text, end):
        run = match[0].rstrip("=")
        if run.strip("+/") and run.count("/") * 12 < len(run):
            yield Hit("blob", match.start(), match.end(), _encoding(run))
    for match in _WRAPPED.finditer(text, end):
        yield Hit("blob", match.start(), match.end(), "base64 in lines")


def _encoding(run: str) -> str:
    if not run.strip("01"):
        return "binary digits"
    digits = run[2:] if run[:2] in ("0x", "0X") else run
    is_hex = not digits.strip("0123456789abcdefABCDEF") and not digits.isalpha()
    return "hexadecimal digits" if is_hex else "base64"


def _cuts(text: str, lowered: str, seen: Collection[str]) -> Iterator[Hit]:
    for match in _around(text, lowered, _CUT_WORDS, _CUT, seen):
        yield Hit("cut", match.start(), match.end(), match[0])
    for at in places_of(_DOTS, text, seen):
        more = _MORE.match(text, at)
        if more is not None:
            yield Hit("cut", at, more.end(), more[0])


def _orders(text: str, lowered: str, seen: Collection[str]) -> Iterator[Hit]:
    for match in _around(text, lowered, _ORDER_WORDS, _ORDER, seen):
        yield Hit("order", match.start(), match.end(), "order", quoted=_is_quoted(text, match))
    for match in _around(text, text, _TOKENS, _TEMPLATE_TOKEN, seen):
        yield Hit("order", match.start(), match.end(), "template token")
    for match in _around(text, lowered, _HIDING_WORDS, _HIDING, seen):
        yield Hit("order", match.start(), match.end(), "hiding", quoted=_is_quoted(text, match))


def _is_quoted(text: str, match: re.Match[str]) -> bool:
    """It is spoken about: in quotes or backticks."""
    return text[max(match.start() - 1, 0) : match.start()] in ('"', "'", "`", "“", "‘") and match.start() > 0


def _braces(text: str, seen: Collection[str]) -> Iterator[Hit]:
    for at in places_of(("{{",), text, seen):
        if _BRACES.match(text, at):
            yield Hit("braces", at, at + 2, "{{")


def _identities(text: str, lowered: str, seen: Collection[str]) -> Iterator[Hit]:
    found: dict[int, re.Match[str]] = {}
    for at in places_of(_IDENTITY_WORDS, lowered, seen):
        if not lowered[max(at - LONGEST_NAME, 0) : at].rstrip("_ -").endswith(_NAMES):
            continue  # asking a pattern at each id of a list of entries would cost more than all else
        match = _IDENTITY.search(text, max(at - BACK, 0), at + AHEAD)
        if match is not None and match.start() <= at < match.end():
            found.setdefault(match.start(), match)
    for match in _apart(found):
        yield Hit("identity", match.start(2), match.end(2), match[1].lower())
