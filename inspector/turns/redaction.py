"""Secrets and e-mail addresses in text: found in linear time, named, and covered by a label.

Two passes of one alternation each: shapes that only a secret has (with the name of who issued it), then
values that stand behind a telling word (``password=``) and look like no placeholder. RE2 takes linear
time on any input; it counts bytes, so offsets are turned back into code points.
"""

import re
from collections.abc import Collection, Iterator, Sequence

import re2

from inspector.turns.watch import Watch

Find = tuple[int, int, str]
"""Start and end in code points, and the name of what was found."""

_ASSIGNED = r"""["'\\]{0,2}\s{0,3}[:=]\s{0,3}["'\\]{0,2}"""
SHAPES: Sequence[tuple[str, str]] = (
    (
        "private key",
        r"(-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:[^-]|-[^-])*-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"|(?:[\s\\nr\"]*[A-Za-z0-9+/=]{16,})*))",
    ),
    ("anthropic key", r"\b(sk-ant-[A-Za-z0-9_-]{20,})"),
    ("openrouter key", r"\b(sk-or-v1-[A-Za-z0-9]{32,})"),
    ("openai key", r"\b(sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,})"),
    ("stripe key", r"\b((?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,})"),
    ("aws key id", r"\b((?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16})\b"),
    (
        "aws secret key",
        r"(?i:aws_?secret_?(?:access_?)?key|secretaccesskey)" + _ASSIGNED + r"([A-Za-z0-9/+]{40})",
    ),
    ("github token", r"\b(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})"),
    ("gitlab token", r"\b(gl(?:pat|dt|rt|cbt)-[A-Za-z0-9_-]{20,})"),
    ("slack token", r"\b(xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,})"),
    ("slack webhook", r"hooks\.slack\.com/services/([A-Za-z0-9/]{20,})"),
    ("google api key", r"\b(AIza[A-Za-z0-9_-]{35})"),
    ("google token", r"\b(ya29\.[A-Za-z0-9_-]{20,})"),
    ("hugging face token", r"\b(hf_[A-Za-z0-9]{30,60})"),
    ("groq key", r"\b(gsk_[A-Za-z0-9]{30,})"),
    ("xai key", r"\b(xai-[A-Za-z0-9]{30,})"),
    ("npm token", r"\b(npm_[A-Za-z0-9]{36})"),
    ("pypi token", r"\b(pypi-[A-Za-z0-9_-]{50,})"),
    ("sendgrid key", r"\b(SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64})"),
    ("telegram token", r"\b([0-9]{8,10}:AA[A-Za-z0-9_-]{33})"),
    ("azure key", r"(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,}={0,2})"),
    ("inspector key", r"\b(pi_[A-Za-z0-9_-]{20,})"),
    ("jwt", r"\b(eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{10,})"),
    (
        "authorization header",
        r"(?i:authorization)" + _ASSIGNED + r"(?i:bearer|basic|token|apikey)\s{1,3}([A-Za-z0-9._~+/=:-]{8,})",
    ),
    ("bearer token", r"\b(?i:bearer)\s{1,3}([A-Za-z0-9._~+/-]{20,}={0,2})"),
    ("password in a url", r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@\"'<>?#]{0,}:([^\s/@\"'<>]{3,})@"),
)
"""Names and shapes; the first that fits at a place wins. Each has one group: what is to be covered."""
WORDS = (
    *(
        "password",
        "passwd",
        "passphrase",
        "pwd",
        "secret",
        "api[_-]?key",
        "apikey",
        "access[_-]?key",
        "auth[_-]?key",
    ),
    *("access[_-]?token", "auth[_-]?token", "refresh[_-]?token", "bot[_-]?token", "client[_-]?secret"),
    *("private[_-]?key", "encryption[_-]?key", "signing[_-]?key", "secret[_-]?key", "connection[_-]?string"),
)
_SHAPE_HINTS = (
    *("-----begin", "sk-", "sk_", "rk_", "whsec_", "akia", "asia", "aroa", "aida", "secret", "ghp_", "gho_"),
    *("ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "glcbt-", "xox", "xapp-"),
    *("hooks.slack", "aiza", "ya29.", "hf_", "gsk_", "xai-", "npm_", "pypi-", "sg.", ":aa", "accountkey="),
    *("sharedaccesskey=", "pi_", "eyj", "authorization", "bearer", "://"),
)
_VALUE_HINTS = tuple(word.replace("[_-]?", mark) for word in WORDS for mark in ("", "_", "-"))
HINTS = tuple(dict.fromkeys((*_SHAPE_HINTS, *_VALUE_HINTS)))
"""Every secret holds one of these or stands behind one, in any case: without one nothing is searched."""
CHECKED = frozenset({"openai key", "stripe key", "inspector key", "bearer token", "password in a url"})
"""Shapes that ordinary words can have, too."""
EMAIL = "e-mail address"

_OPTIONS = re2.Options()
_OPTIONS.max_mem = 16 << 20
_OPTIONS.log_errors = False
_SHAPES = re2.compile("|".join(pattern for _, pattern in SHAPES), _OPTIONS)
_VALUES = re2.compile(
    r"(?i:\b|_)(?i:" + "|".join(WORDS) + ")" + _ASSIGNED + r"""([^\s"'\\<>,;&(){}\[\]]{8,})""", _OPTIONS
)
_WATCH = Watch(HINTS)
_EMAIL = re2.compile(r"\b([A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,})\b")
_SURROGATES = re.compile("[\ud800-\udfff]")
_PLACEHOLDER = re.compile(
    r"\*{3}|x{6}|\.{3}|\$|%\w|your|example|placeholder|redacted|masked|change.?me|insert|dummy|todo|process\.env|os\.environ",
    re.IGNORECASE,
)


def secrets_in(text: str, seen: frozenset[str] | None = None) -> list[Find]:
    """Secrets in a text, in order and without overlap. ``seen``: which of HINTS it holds, where known."""
    if seen is None:
        seen = _WATCH.seen(text)
    searchable = _searchable(text) if seen else ""
    found: list[Find] = []
    if not seen.isdisjoint(_SHAPE_HINTS):
        found += [find for find in _shapes(searchable) if find[2] not in CHECKED or _looks_random(text, find)]
    if not seen.isdisjoint(_VALUE_HINTS):
        values = _grouped(_VALUES, searchable, "secret value")
        found += [find for find in values if _looks_random(text, find)]
    return _apart(found)


def emails_in(text: str) -> list[Find]:
    """E-mail addresses in a text, in order."""
    return list(_grouped(_EMAIL, _searchable(text), EMAIL)) if "@" in text else []


def mask(text: str, kinds: Collection[str]) -> str:
    """The text with what is found replaced by its name: ``[masked: aws key id]``.

    ``kinds``: ``secrets`` for all of them, ``emails``, or names of single kinds.
    """
    found = secrets_in(text) if set(kinds) - {"emails", EMAIL} else []
    if "secrets" not in kinds:
        found = [find for find in found if find[2] in kinds]
    if "emails" in kinds or EMAIL in kinds:
        found = _apart(found + emails_in(text))
    pieces = []
    at = 0
    for start, end, name in found:
        pieces += [text[at:start], f"[masked: {name}]"]
        at = end
    return "".join([*pieces, text[at:]])


def _searchable(text: str) -> str:
    """The text, as long as before, without lone surrogates (RE2 reads UTF-8, which has none)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text)
    return text


def _shapes(text: str) -> Iterator[Find]:
    for match in _SHAPES.finditer(text):
        index = match.lastindex
        yield (*match.span(index), SHAPES[index - 1][0])


def _grouped(pattern: "re2._Regexp[str]", text: str, name: str) -> Iterator[Find]:
    for match in pattern.finditer(text):
        yield (*match.span(1), name)


def _looks_random(text: str, find: Find) -> bool:
    """Whether a value is more than a word or a placeholder: letters and digits, and varied ones."""
    value = text[find[0] : find[1]]
    if _PLACEHOLDER.search(value) or "{" in value:
        return False
    if find[2] == "password in a url":
        return value.lower() not in ("password", "pass", "pwd", "secret", "token")
    has_digit = any(character.isdigit() for character in value)
    has_letter = any(character.isalpha() for character in value)
    return has_digit and has_letter and len(set(value)) >= 6 and not _is_name(value)


def _is_name(value: str) -> bool:
    """Words joined by hyphens or dots with a number at the end are a name: ``sk-model-large-v2``."""
    pieces = re.split(r"[-_.:/]", value)
    return all(piece.isalpha() or len(piece) <= 4 for piece in pieces) and len(pieces) > 1


def _apart(found: list[Find]) -> list[Find]:
    """In order; of two that overlap, the earlier named one (shapes come before values)."""
    order = sorted(range(len(found)), key=lambda index: (found[index][0], index))
    kept: list[Find] = []
    for index in order:
        start, end, name = found[index]
        if kept and start < kept[-1][1]:
            if name != "secret value" and kept[-1][2] == "secret value":
                kept[-1] = (kept[-1][0], max(end, kept[-1][1]), name)
            elif end > kept[-1][1]:
                kept[-1] = (kept[-1][0], end, kept[-1][2])
            continue
        kept.append(found[index])
    return kept
