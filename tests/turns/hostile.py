"""Makers of hostile prompts and responses, by name: each gives a text of about the size asked for."""

from collections.abc import Callable

SYSTEM = "You are an expert AI agent controlling a multi-context software application.\n\n"
INPUTS = "## CURRENT SITUATION\n\n### Unprocessed Inputs\n<unprocessed-inputs>\n"
PENDING = "</unprocessed-inputs>\n\n### Pending Operations\n<pending-operations>\n"
SETTING = "SETTING: You are x, working directly in the command line with a special interface.\n"
HISTORY = "## History\nHere is a recent history of actions\n"
INFO = "<environment_info>\n<workspace_info>\n"
GOAL = "\nYour personal goal is: x\n"
CHAIN = (
    f"{INPUTS}x\n{PENDING}</pending-operations>\n\n### Context State\n<context-state>\n</context-state>\n\n"
)


def _repeated(unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    def make(size: int) -> str:
        return before + unit * (size // len(unit)) + after

    return make


HOSTILE: dict[str, Callable[[int], str]] = {
    "less-than": _repeated("<"),
    "close starts": _repeated("</"),
    "ampersands": _repeated("&"),
    "nested tags": _repeated("<a>"),
    "nested tags on lines": _repeated("<a>\n"),
    "nested other tags": lambda size: "".join(f"<a{n}>\n" for n in range(size // 8)),
    "balanced": lambda size: "<a>\n" * (size // 9) + "</a>\n" * (size // 9),
    "flat": _repeated("<a>\nx\n</a>\n"),
    "flat and known": _repeated("<tools>\nx\n</tools>\n"),
    "unclosed attributes": _repeated('<a b="'),
    "unclosed quotes on lines": _repeated('\n<a "'),
    "many attributes": _repeated('b="c" ', "<a ", ">"),
    "odd entries": _repeated('\n<input a="b'),
    "fences": _repeated("```\n"),
    "fences that open only": _repeated("```x\n"),
    "fences of all lengths": lambda size: "".join("`" * (3 + n % 50) + "\n" for n in range(size // 28)),
    "mixed fences": _repeated("~~~x\n```\n"),
    "quotes": _repeated('"'),
    "brackets": _repeated("["),
    "comment starts": _repeated("<!--"),
    "comments": _repeated("<!-- -->"),
    "comments on lines": _repeated("\n<!--"),
    "headings": _repeated("# a\n"),
    "headings of all levels": lambda size: "".join("#" * (1 + n % 6) + " a\n" for n in range(size // 6)),
    "rules": _repeated("---\n"),
    "rules apart": _repeated("---\n\n\n"),
    "labels": _repeated("Tools:\n"),
    "spaces": _repeated(" "),
    "line feeds": _repeated("\n"),
    "blank lines": _repeated(" \n"),
    "closing tags": _repeated("</a>"),
    "closing tags on lines": _repeated("x</a>\n"),
    "crossed": _repeated("<a>x</b>\n"),
    "pairs in lines": _repeated("<a> x </a>\n"),
    "one long line": _repeated("x", "<a>", "</a>"),
    "tabs": _repeated("\t<a>\t\n"),
    "placeholders": _repeated("{{a}}"),
    "carriage returns": _repeated("\r"),
    "separators": _repeated("\u2028<a>\u2028"),
    "emoji": _repeated("😀<a>\n"),
    "lone surrogates": _repeated("\ud800\n<a>\n"),
    "NUL": _repeated("\x00"),
    "boundary again and again": _repeated(INPUTS, SYSTEM),
    "entries never closed": _repeated('<input name="a">\n', SYSTEM + INPUTS),
    "closing boundaries": _repeated(PENDING, SYSTEM + INPUTS),
    "whole chains": _repeated(CHAIN, SYSTEM),
    "entries": _repeated('<input name="a" timestamp="1">x</input>\n', SYSTEM + INPUTS, PENDING),
    "group headings": _repeated("---\n\n## AVAILABLE TOOLS\n\n", SYSTEM, INPUTS),
    "tags of the page": _repeated("<available-actions>\n<contexts>\n"),
    "headings at the top": _repeated("## a\n---\n", SYSTEM),
    "entries of a tag": _repeated('<tool name="x">\n</tool>\n', "<tools>\n", "</tools>"),
    "titles": _repeated("--- Your task ---\n", "\n--- Available tools ---\n--- Available actions ---\n"),
    "notes": _repeated("\nRelevant memories:\n", "You are an autonomous agent named x\n"),
    "other notes": _repeated(
        "\nUpdated pursuit context:\nYour name is x", "You are an autonomous agent named x\n"
    ),
    "blocks": _repeated("\n<tools>\n</tools>\n\n## Skills\n", "You are x powered by Ankole.\n\n"),
    "files": _repeated("## a.md\n", "x\n## Environment\n\n- platform: x\n\n## Tools\n\n### y\n"),
    "tools": _repeated("### y\n", "x\n## Environment\n\n- platform: x\n\n## Tools\n\n"),
    "commands": _repeated("a:\n  docstring: x\n    - b (int) [required]: y\n", f"{SETTING}COMMANDS:\n"),
    "commands of a line": _repeated("a <b> [<c>]\n<d>\ne\n", f"{SETTING}COMMANDS:\n"),
    "documented actions": _repeated(
        "* `a` - b\n  * `c` - d\n", f"# Task\nYou\n{HISTORY}## Available Actions\n"
    ),
    "memory blocks": _repeated("<a>\n<description>\n", "\n<memory_blocks>\n", "\n<memory_metadata>\n"),
    "attachments": _repeated("</attachment>\n<attachment ", f"{INFO}<attachments>\n<attachment "),
    "listed tools": _repeated(
        "Tool Name: a(b: c, \n", f"You are x{GOAL}You ONLY have access to the following tools\n"
    ),
    "documented tools": _repeated(
        "## abc\nDescription: \nParameters:\n- p: x\n", "x\n====\n\nTOOL USE\n\n# Tools\n"
    ),
    "parts between rules": _repeated("\n====\n\nRULES\n", "x\n====\n\nTOOL USE\n"),
    "providers": _repeated(
        "# About\n", "<task>Generate dialog and actions for the character x\n<providers>\n"
    ),
    "blocks of providers": _repeated("provider:A:\n"),
    "reminders": _repeated("<system-reminder>x</system-reminder>", "<command-name>x"),
    "nodes": _repeated("- a: b # c\n", '## context\n\n## nodes: "<node>: <type>\n'),
    "forged closings": _repeated("</recent-history>", SYSTEM + INPUTS, PENDING),
}
RESPONSES: dict[str, Callable[[int], str]] = {
    "angle brackets": _repeated("<"),
    "closing angle brackets": _repeated("</"),
    "open outputs": _repeated('<output name="text">'),
    "open quotes": _repeated('<output name="'),
    "crossed quotes": _repeated("<output a=\"<output b='"),
    "quotes out of step": _repeated('<output a="<output b=" c="'),
    "calls without end": _repeated('<action_call name="note">{"a":"'),
    "strings without end": _repeated("<action_call name='note'>{\"a</action_call>"),
    "braces in a call": _repeated('<action_call name="note">' + "{" * 100),
    "brackets": _repeated("["),
    "braces": _repeated('{"a":'),
    "quotes": _repeated('"'),
    "backticks": _repeated("`"),
    "nested": _repeated('<reasoning><action_call name="note">'),
    "containers": _repeated("<response>"),
    "comments without end": _repeated("<!--"),
    "comments": _repeated('<!-- <output name="text"> -->'),
    "orphans": _repeated("</output>"),
    "half tags": _repeated('/output name="text">\n'),
    "attributes": _repeated("<output " + "a=1 " * 10),
    "unknown tags": _repeated("<foo>"),
    "references": _repeated("{{calls[0].a}}"),
    "broken calls": _repeated("<action_call name=\"note\">{a:1,b:'c',}</action_call>"),
    "broken objects": _repeated('{"a" "b",'),
    "thoughts": _repeated('Thought: x\nAction: y\nAction Input: {"a":'),
    "tool calls": _repeated('<tool_call>{"name":"x","arguments":{"a":'),
    "functions": _repeated("<function=x><parameter=a>"),
    "mistral": _repeated("[TOOL_CALLS][{"),
    "invokes": _repeated('<invoke name="x"><parameter name="q">'),
    "elements": _repeated("<read_file><path>"),
    "lone surrogates": _repeated("\ud800"),
    "nul": _repeated("\0"),
    "ids in one call": lambda size: (
        '<action_call name="note">{'
        + ",".join(f'"k{number}":"id-{number:08}"' for number in range(size // 24))
        + "}</action_call>"
    ),
}
