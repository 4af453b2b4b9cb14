"""Cline and Roo Code: a system prompt of parts between ``====`` rules, tools documented with their XML usage.

Layouts: ``xml`` (documented tools, answered in their tags), ``sdk`` (native tools, an ``<env>`` block). Tags
in the documentation are usage, not sections. What users add comes last, so the first of each part counts.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from inspector.turns.dialects.card import Cut, Dialect, Note, Piece
from inspector.turns.dialects.cline_tools import offers, tool_entries
from inspector.turns.dialects.cutting import cut, headed, limits
from inspector.turns.dialects.outline import slug
from inspector.turns.dialects.titles import Title, by_titles
from inspector.turns.turn import Kind, Message, Turn

MAX_PARTS = 200
_TOOL_USE = "\n====\n\nTOOL USE\n"
_CUSTOM = "USER'S CUSTOM INSTRUCTIONS"
_PART = re.compile(r"\n====\n\n([A-Z][A-Z0-9 .'&/,()-]{2,60})\n")
_KINDS: Mapping[str, Kind] = {
    "TOOL USE": "actions",
    "MCP SERVERS": "actions",
    "SYSTEM INFORMATION": "environment",
    "TODO": "memory",
    "SKILLS": "documents",
}
_INNER: Mapping[str, Kind] = {
    "Tool Use Formatting": "format",
    "Tools": "actions",
    "Tool Use Examples": "format",
    "Tool Use Guidelines": "instructions",
}
_HEADING = re.compile(r"\n# (Tool Use Formatting|Tools|Tool Use Examples|Tool Use Guidelines)[ \t\r]*+(?=\n)")
_SDK = "You are Cline, an AI coding agent."
_SDK_PARTS = (
    Title("Environment you are running in:", "environment", "Environment"),
    Title("Remember:", "instructions", "Remember"),
    Title("Begin by analyzing the user's input", "instructions", "Approach", begins=True),
)
_DETAILS = "<environment_details>"
_RESULT = re.compile(r"\[[a-z_]{2,60}(?: for [^\n]{0,2000})?\] Result:|\[ERROR\] You did not use a tool")
_SUMMARY = "Context summary:"
_SUMMARY_START = f"{_SUMMARY}\n\n## Goal\n"
_NOTICE = "<SYSTEM_NOTICE>\nEarlier context "


def likelihood(turn: Turn) -> float:
    """By the part about tools between its rules, else by the newer first sentence."""
    first = turn.messages[0] if turn.messages else None
    if first is None:
        return 0.0
    if first.role == "user":
        return (
            0.6 if first.text.startswith(_SUMMARY_START) or first.text.find(_NOTICE, 0, 20_000) >= 0 else 0.0
        )
    if _TOOL_USE in first.text:
        return 0.96 if "\n# Tool" in first.text else 0.8
    return 0.95 if first.text.startswith(_SDK) else 0.0


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts the system message by its parts, the task and the newest result by what stands around them."""
    last_said = max((i for i, m in enumerate(turn.messages) if m.role == "assistant"), default=-1)
    system = turn.messages[0].text if turn.messages else ""
    layout = "xml" if _TOOL_USE in system else "sdk"

    def knife(index: int, notes: list[Note]) -> Sequence[Piece]:
        message = turn.messages[index]
        if index == 0 and message.role != "user":
            return _parts(message.text) if layout == "xml" else _sdk(message.text, notes)
        return _user(message, is_new=index > last_said) if message.role == "user" else ()

    return cut(turn, kinds, knife, layout)


def _parts(text: str) -> list[Piece]:
    """The parts of the classic prompt, up to what the user wrote."""
    marks: list[re.Match[str]] = []
    seen: set[str] = set()
    for match in islice(_PART.finditer(text), MAX_PARTS):
        if match[1] not in seen:
            marks.append(match)
            seen.add(match[1])
        if match[1] == _CUSTOM:
            break
    starts = [match.start() + 1 for match in marks]
    pieces = [
        _part(text, match, start, limit)
        for match, start, limit in zip(marks, starts, limits(starts, len(text)), strict=True)
    ]
    return headed(text, pieces)


def _part(text: str, match: re.Match[str], start: int, end: int) -> Piece:
    name = match[1]
    kind = _KINDS.get(name, "instructions")
    children = _tool_use(text, match.end(), end) if name == "TOOL USE" else ()
    title = name.capitalize() if name != _CUSTOM else "User's custom instructions"
    return Piece(start, end, kind, title, slug(name), "heading", min(match.end(), end), end, children)


def _tool_use(text: str, start: int, end: int) -> tuple[Piece, ...]:
    """How tools are written, the tools themselves, examples and guidelines."""
    marks = {match[1]: match for match in reversed(list(islice(_HEADING.finditer(text, start, end), 50)))}
    found = sorted(marks.values(), key=lambda match: match.start())
    starts = [match.start() + 1 for match in found]
    return tuple(
        Piece(
            place,
            limit,
            _INNER[match[1]],
            match[1],
            slug(match[1]),
            "heading",
            min(match.end() + 1, limit),
            limit,
            tool_entries(text, match.end(), limit) if match[1] == "Tools" else (),
        )
        for match, place, limit in zip(found, starts, limits(starts, end), strict=True)
    )


def _sdk(text: str, notes: list[Note]) -> list[Piece]:
    pieces, seen = by_titles(text, 0, _SDK_PARTS, 0)
    notes += seen
    return headed(text, pieces)


def _user(message: Message, *, is_new: bool) -> list[Piece]:
    """A task, a result or a summary, and the details that the editor adds behind it."""
    text, end = message.text, len(message.text)
    if any(part.kind == "file" for part in message.parts):
        return _with_files(message, is_new=is_new)
    notice = text.find(_NOTICE)
    if notice >= 0:
        return _with_notice(text, notice, is_new=is_new)
    details = text.rfind(f"\n{_DETAILS}") + 1 if not text.startswith(_DETAILS) else 0
    has_details = text.startswith(_DETAILS, details)
    stop = details if has_details else end
    if text.startswith(_SUMMARY):
        return [Piece(0, end, "memory", "Context Summary", "context-summary", "label", len(_SUMMARY), end)]
    is_task = text.startswith("<task>")
    title = "Task" if is_task else "Tool Result" if _RESULT.match(text) else "User message"
    if title == "User message" and not has_details:
        return []
    kind: Kind = "updates" if is_new or is_task else "history"
    pieces = [Piece(0, stop, kind, title, slug(title), "role", 0, stop)] if text[:stop].strip() else []
    if has_details:
        close = text.rfind("</environment_details>", stop)
        body = stop + len(_DETAILS)
        of_details: Kind = "environment" if is_new else "history"
        pieces.append(
            Piece(
                stop,
                end,
                of_details,
                "Environment Details",
                "environment-details",
                "tag",
                body,
                close if close >= 0 else end,
            )
        )
    return pieces


def _with_files(message: Message, *, is_new: bool) -> list[Piece]:
    """What the user says and the files that came with it."""
    kind: Kind = "updates" if is_new else "history"
    return [
        Piece(part.start, part.end, "contexts", "File", "file", "role", part.start, part.end)
        if part.kind == "file"
        else Piece(part.start, part.end, kind, "User message", "user", "role", part.start, part.end)
        for part in message.parts[:MAX_PARTS]
        if part.end > part.start
    ]


def _with_notice(text: str, notice: int, *, is_new: bool) -> list[Piece]:
    """A message behind which the host tells what it left out."""
    kind: Kind = "updates" if is_new else "history"
    end = len(text)
    told = Piece(notice, end, "memory", "System Notice", "system-notice", "tag", notice, end)
    return [Piece(0, notice, kind, "User message", "user", "role", 0, notice), told] if notice else [told]


CLINE = Dialect(
    name="cline",
    title="Cline and Roo Code",
    likelihood=likelihood,
    split=split,
    layouts=("xml", "sdk"),
    grammar="tools",
    offers=offers,
)
