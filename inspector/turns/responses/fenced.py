"""The grammar of answers in words with one fenced command: the fence's body is what is run.

A command that the prompt offers by name is a call of that name, its words taken in the order of the
documented parameters; anything else is a call of ``bash``. Agents with a notebook run code.
"""

import ast
import re
import shlex
from typing import Any

from inspector.turns.arguments import Budget
from inspector.turns.contract import offers_named
from inspector.turns.dialects.card import Fences
from inspector.turns.responses.draft import Draft
from inspector.turns.turn import Contract, Span

CALLS_MAX = 100
FUNCTION_MAX = 4_000
"""Longest function call that is read, in code points."""
SHELL = "bash"
_OPENING = re.compile(r"\n(`{3,}+)([^\n`]*+)(?=\n)")
_NAME = re.compile(r"[A-Za-z_]\w{0,60}+")


def read(text: str, contract: Contract, fences: Fences) -> Draft:
    """A text whose fences hold commands. Words around them are the model's reasoning."""
    draft = Draft("markers", text)
    budget = Budget()
    within = _inline(text) if fences.inline else _blocks(text, fences.names)
    blocks = _elements(text, fences.element) or within
    if fences.last:
        blocks = blocks[-1:]
    at = 0
    for start, body, body_end, end in blocks[:CALLS_MAX]:
        _think(draft, at, start)
        code = text[body:body_end].strip()
        name, values = (fences.code, {"code": code}) if fences.code else command(code, contract)
        raw = text[body:body_end]
        draft.call(name, raw, {}, (start, end, body), contract, budget, values=values)
        if body_end == end == len(text) and not fences.inline:
            draft.complete = False
        at = end
    if draft.calls:
        _think(draft, at, len(text))
    return draft


def command(body: str, contract: Contract) -> tuple[str, Any]:
    """The name and arguments of a command line."""
    match = _NAME.match(body)
    offers = offers_named(contract.actions, match[0]) if match and match[0] != SHELL else ()
    if not match or not offers:
        return SHELL, {"command": body.strip()}
    schema = offers[0].schema
    properties = schema.get("properties", {}) if isinstance(schema, dict) else {}
    if (values := _function(body, list(properties))) is not None:
        return match[0], values
    return match[0], _arguments(body[match.end() :].strip("\n"), properties)


def _function(body: str, names: list[str]) -> dict[str, Any] | None:
    """The arguments of a function call as Python writes it; the closing bracket may be cut off."""
    if "(" not in body or len(body) > FUNCTION_MAX:
        return None
    try:
        tree = ast.parse(body if body.rstrip().endswith(")") else f"{body})", mode="eval").body
        if not isinstance(tree, ast.Call):
            return None
        values = dict(zip(names, map(ast.literal_eval, tree.args), strict=False))
        values.update({key.arg: ast.literal_eval(key.value) for key in tree.keywords if key.arg})
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return values


def _arguments(rest: str, properties: dict[str, Any]) -> dict[str, Any]:
    """Words by position; what is left over belongs to the last parameter, lines behind the first one too."""
    names = list(properties)
    line, _, more = rest.partition("\n")
    words = _words(line, len(names))
    values: dict[str, Any] = dict(zip(names, words, strict=False))
    if more and names:
        values[names[min(len(words), len(names) - 1)]] = more
    for name, value in values.items():
        if properties[name].get("type") == "integer" and value.lstrip("-").isdigit() and len(value) < 20:
            values[name] = int(value)
    return values


def _words(line: str, count: int) -> list[str]:
    """A line's words as a shell would take them; ``12:15`` are two where there are two numbers to give."""
    try:
        words = shlex.split(line[:10_000])
    except ValueError:
        words = line[:10_000].split()
    if words and count > 2 and re.fullmatch(r"\d{1,9}:\d{1,9}", words[0]):
        words[:1] = words[0].split(":")
    if count and len(words) > count:
        words[count - 1 :] = [" ".join(words[count - 1 :])]
    return words


def _blocks(text: str, names: tuple[str, ...]) -> list[tuple[int, int, int, int]]:
    """Start, body start, body end and end of each fence that counts."""
    found: list[tuple[int, int, int, int]] = []
    padded = f"\n{text}"
    position = 0
    while len(found) < CALLS_MAX and (match := _OPENING.search(padded, position)):
        body = match.end() - 1 + 1
        close = text.find(f"\n{match[1]}", body - 1)
        body_end = close + 1 if close >= 0 else len(text)
        end = body_end + len(match[1]) if close >= 0 else len(text)
        if not names or match[2].strip() in names:
            found.append((match.start(1) - 1, body, body_end, end))
        position = end + 1
        if close < 0:
            break
    return found


def _inline(text: str) -> list[tuple[int, int, int, int]]:
    """The same of calls between fences in one line; the closing fence may be cut off."""
    found: list[tuple[int, int, int, int]] = []
    position = text.find("```")
    while position >= 0 and len(found) < CALLS_MAX:
        body = position + 3
        close = text.find("```", body)
        body_end, end = (close, close + 3) if close >= 0 else (len(text), len(text))
        found.append((position, body, body_end, end))
        position = text.find("```", end)
    return found


def _elements(text: str, name: str) -> list[tuple[int, int, int, int]]:
    """The same of each element that holds a command; one without its end goes on to the end of the text."""
    found: list[tuple[int, int, int, int]] = []
    opening, closing = f"<{name}>", f"</{name}>"
    position = text.find(opening) if name else -1
    while position >= 0 and len(found) < CALLS_MAX:
        body = position + len(opening)
        close = text.find(closing, body)
        body_end, end = (close, close + len(closing)) if close >= 0 else (len(text), len(text))
        found.append((position, body, body_end, end))
        position = text.find(opening, end)
    return found


def _think(draft: Draft, start: int, end: int) -> None:
    text = draft.text[start:end]
    words = text.strip()
    if words:
        first = start + text.index(words)
        draft.reasoning.append(Span(words, first, first + len(words)))
