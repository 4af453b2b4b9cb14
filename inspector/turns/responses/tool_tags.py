"""Calls written as elements named after the tool, their arguments as child tags: Cline, Roo, OpenHands."""

import re
from itertools import islice

from inspector.turns.arguments import children
from inspector.turns.dialects.card import Tags
from inspector.turns.responses.elements import elements_of
from inspector.turns.responses.seen import Seen, typed
from inspector.turns.turn import Contract

CALLS_MAX = 500
"""Calls of one response that are read."""
TOOL_TAGS = frozenset(
    {
        "execute_command", "read_file", "write_to_file", "replace_in_file", "apply_diff", "insert_content",
        "search_files", "list_files", "list_code_definition_names", "browser_action", "use_mcp_tool",
        "access_mcp_resource", "ask_followup_question", "attempt_completion", "new_task", "switch_mode",
        "plan_mode_respond", "update_todo_list", "execute_bash", "execute_ipython", "execute_browse",
    }
)  # fmt: skip
"""Elements that are calls wherever they come, whether or not the prompt is there to say so."""


_AT_LINE = re.compile(r"^[ \t]{0,40}+<([A-Za-z_][\w-]{2,60})>", re.MULTILINE)
_WRAPPED = re.compile(r"<tool_calls>\s{0,20}+<(?!tool_call>|tool>|function>|call>)([A-Za-z_][\w-]{2,60})>")
_ANYWHERE = re.compile(r"<([A-Za-z_][\w-]{2,60})>")
_WITH_CHILD = re.compile(r"(?<![`'\"(])<([a-z_]{3,40})>\s{0,20}+<[a-z_]{1,40}>")


def first_element(contract: Contract, text: str) -> re.Match[str] | None:
    """The first element named after a tool: at a line start, or anywhere if the prompt asks for tags.

    What stands in ``<tool_calls>`` is a tool, whatever its name. One that everyone knows counts in the
    middle of a line, too, if an argument follows.
    """
    if wrapped := _WRAPPED.search(text):
        return wrapped
    names = _element_names(contract, text)
    asked = any(offer.call_format == "xml" for offer in contract.actions[:500])
    for match, _ in zip((_ANYWHERE if asked else _AT_LINE).finditer(text), range(200), strict=False):
        if match[1] in names:
            return match
    inside = islice(_WITH_CHILD.finditer(text), 200)
    return next((match for match in inside if match[1] in TOOL_TAGS), None)


def elements_read(text: str, contract: Contract) -> list[Seen]:
    """The calls that are written as elements named after tools."""
    if first_element(contract, text) is None:
        return []
    names = {name.lower(): name for name in sorted(_element_names(contract, text))}
    found = elements_of(text, Tags(calls=tuple(names), names=()))
    seen: list[Seen] = []
    for leaf in found.leaves[:CALLS_MAX]:
        raw = text[leaf.body_start : leaf.body_end]
        if not raw and text.endswith("reply with ", 0, leaf.start):
            continue  # a reminder that is repeated
        read_children = children(raw)
        given, mended = typed(read_children[0] if read_children else {}, names[leaf.tag], contract)
        values = given if read_children else raw.strip() or {}
        is_whole = leaf.closed or read_children is None  # stop sequences end free text at its closing tag
        unclosed = read_children[1] if read_children else ()
        place = (leaf.start, leaf.end, leaf.body_start)
        seen.append(Seen(names[leaf.tag], raw, *place, values, is_whole, unclosed, mended))
    return seen


def _element_names(contract: Contract, text: str) -> frozenset[str]:
    wrapped = {match[1] for match, _ in zip(_WRAPPED.finditer(text), range(50), strict=False)}
    return (
        TOOL_TAGS
        | wrapped
        | {
            offer.name
            for offer in contract.actions[:500]
            if re.fullmatch(r"[A-Za-z_][\w-]{2,60}", offer.name)
        }
    )
