"""What a stretch of prompt text holds that rules on payloads, dates and orders care about; linear patterns.

Every pattern has bounded or possessive repeats and is asked only where a fixed word of it is in the text.
"""

import re
from collections.abc import Iterator
from itertools import islice

from inspector.turns.findings.scanning import HITS_MAX, Hit

BLOB_FROM = 200
"""Shortest run of base64 that is told."""
_DATA_URL = re.compile(
    r"data:([\w.+-]{1,60}/[\w.+-]{1,60})(?:;charset=[\w-]{1,20})?;base64,[A-Za-z0-9+/=_-]{64,}+"
)
_RUN = re.compile(rf"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{{{BLOB_FROM},}}+={{0,2}}")
_WRAPPED = re.compile(r"^(?:[A-Za-z0-9+/]{60,76}+\r?\n){5,}+", re.MULTILINE)
_LONG_WORD = re.compile(r"[A-Za-z0-9+/]{60}")
_CUT = re.compile(
    r"\[[^\[\]\n]{0,80}?\b(?:truncated|omitted|elided|clipped|cut off)\b[^\[\]\n]{0,80}\]"
    r"|<[^<>\n]{0,40}?\b(?:truncated|omitted|elided|clipped)\b[^<>\n]{0,60}>"
    r"|\((?:output |content |text |result )?truncated[^()\n]{0,60}\)"
    r"|(?:\.\.\.|…)[ \t]{0,2}[(\[]?\d[\d,. ]{0,12}(?:more )?(?:chars|characters|lines|bytes|tokens|items|rows)"
    r"(?: more)?(?: (?:truncated|omitted|elided|not shown))?"
    r"|\[?\b(?:output|content|file|result)s? \d[\d,.]{0,12} ?[KMG]?B, showing(?: only)? \d[\d,.]{0,12} ?[KMG]?B",
    re.IGNORECASE,
)
_CUT_WORDS = ("truncated", "omitted", "elided", "clipped", "cut off", "showing", "...", "…")
_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s{1,3}(?:(?:all|any|the|your|my|of|these|those|every)\s{1,3}){0,3}"
    r"(?:previous|prior|above|earlier|preceding|foregoing|system|original|former)\s{1,3}(?:\w{1,20}\s{1,3}){0,2}"
    r"(?:instructions?|prompts?|rules|directions|directives|guidelines|commands|constraints)\b"
    r"|\byou are now (?:in )?(?:DAN\b|developer mode|jailbroken|unrestricted|in god mode)"
    r"|\b(?:reveal|print|repeat|output|leak) (?:me )?(?:your|the) (?:entire |full |whole |hidden )?system prompt\b",
    re.IGNORECASE,
)
_ORDER_WORDS = (
    "instruction",
    "prompt",
    "rules",
    "directi",
    "guideline",
    "command",
    "constraint",
    "you are now",
)
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


def marks_in(text: str) -> tuple[Hit, ...]:
    """All that a text holds, one sort after the other."""
    lowered = text.lower()
    found = [
        *islice(_blobs(text), HITS_MAX),
        *islice(_cuts(text, lowered), HITS_MAX),
        *islice(_orders(text, lowered), HITS_MAX),
        *islice(_braces(text), HITS_MAX),
        *islice(_identities(text, lowered), HITS_MAX),
    ]
    return tuple(found)


def _blobs(text: str) -> Iterator[Hit]:
    if _LONG_WORD.search(text) is None:
        return
    end = 0
    if ";base64," in text:
        for match in _DATA_URL.finditer(text):
            end = match.end()
            yield Hit("blob", match.start(), end, f"a data: URL of {match[1]}")
    urls = end
    for match in _RUN.finditer(text, urls):
        run = match[0].rstrip("=")
        if run.strip("+/") and run.count("/") * 12 < len(run):
            yield Hit("blob", match.start(), match.end(), _encoding(run))
    for match in _WRAPPED.finditer(text, urls):
        yield Hit("blob", match.start(), match.end(), "base64 in lines")


def _encoding(run: str) -> str:
    is_hex = not run.strip("0123456789abcdefABCDEF") and not run.isalpha()
    return "hexadecimal digits" if is_hex else "base64"


def _cuts(text: str, lowered: str) -> Iterator[Hit]:
    if any(word in lowered for word in _CUT_WORDS):
        for match in _CUT.finditer(text):
            yield Hit("cut", match.start(), match.end(), match[0])


def _orders(text: str, lowered: str) -> Iterator[Hit]:
    if any(word in lowered for word in _ORDER_WORDS):
        for match in _ORDER.finditer(text):
            yield Hit("order", match.start(), match.end(), "order", quoted=_is_quoted(text, match))
    if "<|" in text or "<<SYS" in text:
        for match in _TEMPLATE_TOKEN.finditer(text):
            yield Hit("order", match.start(), match.end(), "template token")
    if any(word in lowered for word in ("user", "owner", "human", "operator")):
        for match in _HIDING.finditer(text):
            yield Hit("order", match.start(), match.end(), "hiding", quoted=_is_quoted(text, match))


def _is_quoted(text: str, match: re.Match[str]) -> bool:
    """It is spoken about: in quotes or backticks."""
    return text[max(match.start() - 1, 0) : match.start()] in ('"', "'", "`", "“", "‘") and match.start() > 0


def _braces(text: str) -> Iterator[Hit]:
    if "{{" in text:
        for match in _BRACES.finditer(text):
            yield Hit("braces", match.start(), match.start() + 2, "{{")


def _identities(text: str, lowered: str) -> Iterator[Hit]:
    if "id" not in lowered:
        return
    for match in _IDENTITY.finditer(text):
        yield Hit("identity", match.start(2), match.end(2), match[1].lower())
