"""The grammar of tool calls that a model writes into its text with the markers it was trained on.

Hermes and Qwen (``<tool_call>``), Llama (``<|python_tag|>``, ``<function=…>``), Mistral (``[TOOL_CALLS]``),
DeepSeek, Kimi, Gemma, GLM, ``<invoke name>``, and elements named after the tools (Cline, Roo, OpenHands).
"""

import json
import re
from typing import Any

from inspector.turns.arguments import Budget, children, parse, value_end
from inspector.turns.dialects.card import Tags
from inspector.turns.responses.draft import Draft
from inspector.turns.responses.elements import elements_of
from inspector.turns.responses.heard import Quirk
from inspector.turns.responses.pythonic import pythonic
from inspector.turns.responses.seen import Seen, typed
from inspector.turns.responses.tool_tags import elements_read, first_element
from inspector.turns.turn import Contract, Span

CALLS_MAX = 500
"""Calls of one response that are read."""
_OPEN = re.compile(
    r"<tool_call>|<function_call>|<function=(?P<function>[\w.:-]{1,100})>|<\|python_tag\|>|<\|python_start\|>"
    r"|\[TOOL_CALLS\]|<｜tool▁call▁begin｜>|<\|tool_call_begin\|>|<\|tool_call>call:"
    r"|(?:declaration|call):default_api:(?=[A-Za-z_])"
    r"|<(?:antml:)?invoke\s{1,4}name=[\"'](?P<invoke>[^\"'<>]{1,100})[\"']\s{0,4}>"
)
_SENTINEL = "]<]minimax[>["
"""What MiniMax models write between tags."""
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
    r"|<\|tool_call_end\|>|<tool_call\|>|<\|python_end\|>|\[/TOOL_CALLS\]|<\|eom_id\|>|<\|eot_id\|>"
    r"|</(?:antml:)?invoke>)"
)
_WRAPPERS = re.compile(
    r"</?(?:tool_calls?|function_calls?|antml:function_calls)>|<｜tool▁calls▁(?:begin|end)｜>"
    r"|<\|tool_calls_section_(?:begin|end)\|>|<｜end▁of▁sentence｜>|```(?:xml|json)?"
)
_THINK = Tags(reasoning=("think", "thinking", "reasoning"))


def looks_like(text: str, contract: Contract) -> bool:
    """Whether a text holds any marker of a call."""
    is_marked = _OPEN.search(text) is not None or first_element(contract, text) is not None
    return is_marked or bool(pythonic(text))


def read(text: str, contract: Contract) -> Draft:
    """A text by its markers. What stands around calls and thoughts is stray: words said beside them."""
    draft = Draft("markers", text)
    budget = Budget()
    spans: list[tuple[int, int]] = []
    for seen in _seen(text, contract):
        spans.append((seen.start, seen.end))
        where = (seen.start, seen.end, seen.raw_start)
        draft.call(seen.name, seen.raw, {}, where, contract, budget, None, seen.values, seen.mended)
        if seen.doubtful:
            draft.quirks.append(Quirk("close-in-value", seen.start, seen.end, "parameter"))
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


def _seen(text: str, contract: Contract) -> list[Seen]:
    found: list[Seen] = []
    position = 0
    budget = 4 * len(text) + 4_096
    while len(found) < CALLS_MAX and budget > 0 and (match := _OPEN.search(text, position)):
        seen, cost = _at(text, match, contract)
        budget -= cost
        found.extend(seen)
        position = max(match.end(), seen[-1].end if seen else 0)
    return found or elements_read(text, contract) or pythonic(text)


def _at(text: str, match: re.Match[str], contract: Contract) -> tuple[list[Seen], int]:
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


def _body(text: str, begin: int, start: int, name: str, contract: Contract) -> tuple[list[Seen], int]:
    """One call whose name is known and whose arguments begin here."""
    if text[start : start + 1] == "{":
        end = value_end(text, start)
        closed = end is not None
        if end is None:
            end = _until_closer(text, start)
            closed = end < len(text) or text.count("{", start) == text.count("}", start)
        raw = text[start:end]
        if '<|"|>' in raw:
            raw = raw.replace('<|"|>', '"')
        return [Seen(name, raw, begin, _after(text, end), start, closed=closed)], end - start
    for pattern, close in ((_PARAMETER, _PARAMETER_END), (_GLM, _GLM_END)):
        if pattern.match(text, start):
            return _tagged(text, begin, start, name, pattern, close, contract)
    end = _until_closer(text, start)
    raw = text[start:end].strip()
    read_children = children(raw) if raw.startswith(("<", _SENTINEL)) else None
    values, mended = typed(read_children[0] if read_children else {}, name, contract)
    given = None if raw and not read_children else values
    seen = Seen(name, raw, begin, _after(text, end), start, given, end < len(text), (), mended)
    return [seen], end - start


def _tagged(
    text: str,
    begin: int,
    start: int,
    name: str,
    pattern: re.Pattern[str],
    close: re.Pattern[str],
    contract: Contract,
) -> tuple[list[Seen], int]:
    values: dict[str, str] = {}
    position = start
    closed, doubtful = True, False
    while len(values) < 200 and (match := pattern.match(text, position)):
        stop = _value_close(text, match.end(), close)
        if stop is None:
            values[match[1]] = text[match.end() :].strip("\n")
            position, closed = len(text), False
            break
        values[match[1]] = text[match.end() : stop[0]].removeprefix("\n").removesuffix("\n")
        position = _skip(text, stop[1])
        doubtful = doubtful or close.search(text, match.end(), stop[0]) is not None
    end = position
    if text.startswith(("</invoke>", "</invoke>"), position):
        end = text.index(">", position) + 1
    arguments, mended = typed(values, name, contract)
    raw = text[start:position]
    seen = Seen(name, raw, begin, _after(text, end), start, arguments, closed, (), mended, doubtful)
    return [seen], end - start


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


def _declared(text: str, begin: int, start: int) -> tuple[list[Seen], int]:
    """Calls written as JSON objects with name and arguments: one, a list, or several in a row."""
    found: list[Seen] = []
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
                    Seen(item["name"], raw, begin if not found else position, end, at if at >= 0 else None)
                )
        following = _skip(text, end)
        position = _skip(text, following + 1) if text[following : following + 1] in (";", ",") else following
        if text[position : position + 1] not in ("{", "["):
            break
    if found:
        last = found[-1]
        found[-1] = Seen(last.name, last.raw, last.start, _after(text, last.end), last.raw_start, last.values)
    return found, position - start


def _broken(text: str, begin: int, start: int) -> tuple[list[Seen], int]:
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
            Seen(
                name if isinstance(name, str) else "",
                raw,
                begin,
                _after(text, end),
                start,
                closed=end < len(text),
            )
        ], end - start
    return [
        Seen(
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


def _rest(draft: Draft, spans: list[tuple[int, int]]) -> None:
    position = 0
    for start, end in [*spans, (len(draft.text), len(draft.text))]:
        rest = draft.text[position:start]
        if start > position and _WRAPPERS.sub("", rest).strip(" \t\r\n[],"):
            draft.stray.append(Span(rest, position, start))
        position = max(position, end)
