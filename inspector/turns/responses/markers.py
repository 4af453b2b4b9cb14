"""The grammar of tool calls that a model writes into its text with the markers it was trained on.

Hermes and Qwen (``<tool_call>``), Llama (``<|python_tag|>``, ``<function=…>``), Mistral (``[TOOL_CALLS]``),
DeepSeek, Kimi, Gemma, GLM, ``<invoke name>``, and elements named after the tools (Cline, Roo, OpenHands).
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.turns.arguments import Budget, children, parse, value_end
from inspector.turns.contract import offers_named
from inspector.turns.dialects.card import Tags
from inspector.turns.responses.draft import Draft
from inspector.turns.responses.elements import elements_of
from inspector.turns.responses.heard import Quirk
from inspector.turns.responses.pythonic import pythonic_calls
from inspector.turns.turn import Contract, Span

CALLS_MAX = 500
"""Calls of one response that are read."""
_OPEN = re.compile(
    r"<tool_call>|<function_call>|<function=(?P<function>[\w.:-]{1,100})>|<\|python_tag\|>|<\|python_start\|>"
    r"|\[TOOL_CALLS\]|<｜tool▁call▁begin｜>|<\|tool_call_begin\|>|<\|tool_call>call:"
    r"|<(?:antml:)?invoke\s{1,4}name=[\"'](?P<invoke>[^\"'<>]{1,100})[\"']\s{0,4}>"
)
_SPACE = re.compile(r"\s*+")
_NAMED = re.compile(r"([A-Za-z_][\w.-]{0,99})")
_DEEPSEEK = re.compile(
    r"(?:function<｜tool▁sep｜>)?([\w.-]{1,100})(?:<｜tool▁sep｜>|\s*\n)?\s*(?:```(?:json)?\s*)?(?=\{)"
)
_KIMI = re.compile(
    r"\s*(?:functions\.)?([\w.-]{1,100})(?::\d{1,4})?\s*<\|tool_call_argument_begin\|>\s*(?=\{)"
)
_PARAMETER = re.compile(r"<(?:antml:)?parameter(?:=|\s+name=[\"'])([^\"'<>\s]{1,100})[\"']?\s{0,4}>")
_PARAMETER_END = re.compile(r"</(?:antml:)?parameter>")
_GLM_END = re.compile(r"</arg_value>")
_AFTER_CLOSE = re.compile(
    r"\s*+(?:<(?:antml:)?parameter\b|</(?:antml:)?(?:invoke|function|tool_call)\b|<arg_key>|\Z)"
)
_GLM = re.compile(r"<arg_key>([^<>]{1,200})</arg_key>\s*<arg_value>")
_CLOSERS = re.compile(
    r"\s*+(?:```\s*+)?(?:</tool_call>|</function_call>|</function>|<｜tool▁call▁end｜>|<｜tool▁calls▁end｜>"
    r"|<\|tool_call_end\|>|<tool_call\|>|<\|python_end\|>|\[/TOOL_CALLS\]|<\|eom_id\|>|<\|eot_id\|>)"
)
_WRAPPERS = re.compile(
    r"</?(?:tool_calls?|function_calls?|antml:function_calls)>|<｜tool▁calls▁(?:begin|end)｜>"
    r"|<\|tool_calls_section_(?:begin|end)\|>|<｜end▁of▁sentence｜>|```(?:xml|json)?"
)
_THINK = Tags(reasoning=("think", "thinking", "reasoning"))
TOOL_TAGS = frozenset(
    {
        "execute_command", "read_file", "write_to_file", "replace_in_file", "apply_diff", "insert_content",
        "search_files", "list_files", "list_code_definition_names", "browser_action", "use_mcp_tool",
        "access_mcp_resource", "ask_followup_question", "attempt_completion", "new_task", "switch_mode",
        "plan_mode_respond", "update_todo_list", "execute_bash", "execute_ipython", "execute_browse",
    }
)  # fmt: skip
"""Elements that are calls wherever they come, whether or not the prompt is there to say so."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """One call found in the text."""

    name: str
    raw: str
    start: int
    end: int
    raw_start: int | None
    values: Any = None
    """Arguments that are not written as JSON: child tags, or free text."""
    closed: bool = True
    unclosed: tuple[str, ...] = ()
    """Child tags that are never closed."""


def looks_like(text: str, contract: Contract) -> bool:
    """Whether a text holds any marker of a call."""
    is_marked = _OPEN.search(text) is not None or _elements(contract, text) is not None
    return is_marked or bool(pythonic_calls(text))


def read(text: str, contract: Contract) -> Draft:
    """A text by its markers. What stands around calls and thoughts is stray: words said beside them."""
    draft = Draft("markers", text)
    budget = Budget()
    spans: list[tuple[int, int]] = []
    for seen in _seen(text, contract):
        spans.append((seen.start, seen.end))
        where = (seen.start, seen.end, seen.raw_start)
        draft.call(seen.name, seen.raw, {}, where, contract, budget, values=seen.values)
        if seen.closed:
            draft.quirks += [Quirk("unclosed", seen.start, seen.end, tag) for tag in seen.unclosed]
        else:
            draft.complete = False
            draft.quirks.append(Quirk("unclosed", seen.start, seen.end, "", "cut"))
    if re.search(r"</?(?:think|thinking|reasoning)\b", text):
        thoughts = elements_of(text, _THINK)
        for leaf in thoughts.leaves:
            draft.reasoning.append(
                Span(text[leaf.body_start : leaf.body_end], leaf.body_start, leaf.body_end)
            )
            spans.append((leaf.start, leaf.end))
    _rest(draft, sorted(spans))
    return draft


def _seen(text: str, contract: Contract) -> list[_Seen]:
    found: list[_Seen] = []
    position = 0
    budget = 4 * len(text) + 4_096
    while len(found) < CALLS_MAX and budget > 0 and (match := _OPEN.search(text, position)):
        seen, cost = _at(text, match, contract)
        budget -= cost
        found.extend(seen)
        position = max(match.end(), seen[-1].end if seen else 0)
    return found or _elements_read(text, contract) or _pythonic(text)


def _at(text: str, match: re.Match[str], contract: Contract) -> tuple[list[_Seen], int]:
    """The calls behind one opening marker, and how much was looked through for them."""
    start = _skip(text, match.end())
    name = match["function"] or match["invoke"]
    if name:
        return _body(text, match.start(), start, name, contract)
    mark = match[0]
    if mark.startswith(("<｜", "<|tool_call_begin")):
        pattern = _DEEPSEEK if mark.startswith("<｜") else _KIMI
        head = pattern.match(text, start)
        return _body(text, match.start(), head.end(), head[1], contract) if head else ([], 64)
    if text[start : start + 1] in ("{", "["):
        return _declared(text, match.start(), start)
    inner = _OPEN.match(text, start)
    if inner and inner["function"]:
        seen, cost = _body(text, match.start(), _skip(text, inner.end()), inner["function"], contract)
        return seen, cost
    head = _NAMED.match(text, start)
    if head is None:
        return [], 16
    after = head.end() + (6 if text.startswith("[ARGS]", head.end()) else 0)
    return _body(text, match.start(), _skip(text, after), head[1], contract)


def _body(text: str, begin: int, start: int, name: str, contract: Contract) -> tuple[list[_Seen], int]:
    """One call whose name is known and whose arguments begin here."""
    if text[start : start + 1] == "{":
        end = value_end(text, start)
        closed = end is not None
        if end is None:
            end = _until_closer(text, start)
            closed = end < len(text)
        raw = text[start:end]
        if '<|"|>' in raw:
            raw = raw.replace('<|"|>', '"')
        return [_Seen(name, raw, begin, _after(text, end), start, closed=closed)], end - start
    for pattern, close in ((_PARAMETER, _PARAMETER_END), (_GLM, _GLM_END)):
        if pattern.match(text, start):
            return _tagged(text, begin, start, name, pattern, close, contract)
    end = _until_closer(text, start)
    return [
        _Seen(
            name,
            text[start:end].strip(),
            begin,
            _after(text, end),
            start,
            {} if not text[start:end].strip() else None,
            end < len(text),
        )
    ], end - start


def _tagged(
    text: str,
    begin: int,
    start: int,
    name: str,
    pattern: re.Pattern[str],
    close: re.Pattern[str],
    contract: Contract,
) -> tuple[list[_Seen], int]:
    values: dict[str, str] = {}
    position = start
    closed = True
    while len(values) < 200 and (match := pattern.match(text, position)):
        stop = _value_close(text, match.end(), close)
        if stop is None:
            values[match[1]] = text[match.end() :].strip("\n")
            position, closed = len(text), False
            break
        values[match[1]] = text[match.end() : stop[0]].removeprefix("\n").removesuffix("\n")
        position = _skip(text, stop[1])
    end = position
    if text.startswith(("</invoke>", "</invoke>"), position):
        end = text.index(">", position) + 1
    return [
        _Seen(
            name,
            text[start:position],
            begin,
            _after(text, end),
            start,
            _typed(values, name, contract),
            closed,
        )
    ], end - start


def _value_close(text: str, start: int, close: re.Pattern[str]) -> tuple[int, int] | None:
    """The closing tag of a value: the first followed by what may follow one, else the first."""
    first: tuple[int, int] | None = None
    position = start
    for _ in range(20):
        match = close.search(text, position)
        if match is None:
            break
        first = first or match.span()
        position = match.end()
        if _AFTER_CLOSE.match(text, position):
            return match.span()
    return first


def _typed(values: Mapping[str, str], name: str, contract: Contract) -> dict[str, Any]:
    """Texts of child tags as the values that the offer's schema asks for."""
    offers = offers_named(contract.actions, name)
    schema = offers[0].schema if offers and isinstance(offers[0].schema, dict) else {}
    properties = schema.get("properties") if isinstance(schema.get("properties"), dict) else {}
    typed: dict[str, Any] = dict(values)
    for key, text in values.items():
        asked = properties.get(key) if isinstance(properties, dict) else None
        kind = asked.get("type") if isinstance(asked, dict) else None
        if kind in ("integer", "number", "boolean", "array", "object") and len(text) < 100_000:
            parsed = parse(text, Budget(0))
            if parsed.state == "strict":
                typed[key] = parsed.value
    return typed


def _declared(text: str, begin: int, start: int) -> tuple[list[_Seen], int]:
    """Calls written as JSON objects with name and arguments: one, a list, or several in a row."""
    found: list[_Seen] = []
    position = start
    while len(found) < CALLS_MAX:
        end = value_end(text, position)
        if end is None:
            if not found:
                return _broken(text, begin, position)
            break
        value = json.loads(text[position:end])
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict) and isinstance(item.get("name"), str):
                arguments: Any = next(
                    (item[key] for key in ("arguments", "parameters", "args") if key in item), {}
                )
                raw = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
                at = (
                    text.find(raw, position, end) if isinstance(arguments, dict) and len(raw) < 20_000 else -1
                )
                found.append(
                    _Seen(item["name"], raw, begin if not found else position, end, at if at >= 0 else None)
                )
        following = _skip(text, end)
        position = _skip(text, following + 1) if text[following : following + 1] in (";", ",") else following
        if text[position : position + 1] not in ("{", "["):
            break
    if found:
        last = found[-1]
        found[-1] = _Seen(
            last.name, last.raw, last.start, _after(text, last.end), last.raw_start, last.values
        )
    return found, position - start


def _broken(text: str, begin: int, start: int) -> tuple[list[_Seen], int]:
    """A call whose JSON is damaged or cut: its name where that can be read, the rest as it is."""
    end = _until_closer(text, start)
    raw = text[start:end].rstrip()
    parsed = parse(raw) if len(raw) < 20_000 else None
    value = parsed.value if parsed else None
    item = value[0] if isinstance(value, list) and value else value
    name = item.get("name") if isinstance(item, dict) else None
    inner = re.search(r'"(?:arguments|parameters|args)"\s*+:\s*+', raw)
    if inner is None or not isinstance(name, str):
        return [
            _Seen(
                name if isinstance(name, str) else "",
                raw,
                begin,
                _after(text, end),
                start,
                closed=end < len(text),
            )
        ], end - start
    return [
        _Seen(
            name,
            raw[inner.end() :].removesuffix("}"),
            begin,
            _after(text, end),
            start + inner.end(),
            closed=end < len(text),
        )
    ], end - start


def _until_closer(text: str, start: int) -> int:
    closer = re.compile(
        r"</tool_call>|</function|<｜tool▁call|<\|tool_call_end|<tool_call\||\[/TOOL_CALLS\]|</(?:antml:)?invoke>|<\|python_end"
    ).search(text, start)
    return closer.start() if closer else len(text)


def _after(text: str, end: int) -> int:
    """Past the closing markers that follow."""
    for _ in range(3):
        match = _CLOSERS.match(text, end)
        if match is None:
            break
        end = match.end()
    return end


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _element_names(contract: Contract) -> frozenset[str]:
    return TOOL_TAGS | {
        offer.name for offer in contract.actions[:500] if re.fullmatch(r"[A-Za-z_][\w-]{2,60}", offer.name)
    }


def _elements(contract: Contract, text: str) -> re.Match[str] | None:
    """The first element at a line start that is named after a tool."""
    names = _element_names(contract)
    for match, _ in zip(
        re.finditer(r"^[ \t]{0,40}+<([A-Za-z_][\w-]{2,60})>", text, re.MULTILINE), range(200), strict=False
    ):
        if match[1] in names:
            return match
    return None


def _elements_read(text: str, contract: Contract) -> list[_Seen]:
    if _elements(contract, text) is None:
        return []
    names = {name.lower(): name for name in sorted(_element_names(contract))}
    found = elements_of(text, Tags(calls=tuple(names), names=()))
    seen: list[_Seen] = []
    for leaf in found.leaves[:CALLS_MAX]:
        raw = text[leaf.body_start : leaf.body_end]
        read_children = children(raw)
        values = _typed(read_children[0], names[leaf.tag], contract) if read_children else raw.strip() or {}
        is_whole = leaf.closed or read_children is None  # stop sequences end free text at its closing tag
        unclosed = read_children[1] if read_children else ()
        place = (leaf.start, leaf.end, leaf.body_start)
        seen.append(_Seen(names[leaf.tag], raw, *place, values, is_whole, unclosed))
    return seen


def _pythonic(text: str) -> list[_Seen]:
    """Calls of a Python list; each one's place is that of its source."""
    seen: list[_Seen] = []
    position = 0
    for name, arguments, source in pythonic_calls(text):
        start = text.find(source, position)
        start = start if start >= 0 else position
        position = min(start + len(source), len(text))
        seen.append(_Seen(name, text[start:position], start, position, start, arguments))
    return seen


def _rest(draft: Draft, spans: list[tuple[int, int]]) -> None:
    position = 0
    for start, end in [*spans, (len(draft.text), len(draft.text))]:
        rest = draft.text[position:start]
        if start > position and _WRAPPERS.sub("", rest).strip(" \t\r\n[],"):
            draft.stray.append(Span(rest, position, start))
        position = max(position, end)
