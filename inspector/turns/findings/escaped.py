"""The rule on arguments that are written with entities, as if they were to stand in a document."""

import re
from collections.abc import Iterator
from itertools import islice

from inspector.turns.described import written
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.grounds import VALUES_MAX, values_in
from inspector.turns.turn import Finding

CALLS_MAX = 50
"""Calls of one response that are looked at."""
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|#39|#34);")
_PLAIN = re.compile(r"[<>]|&(?!(?:lt|gt|amp|quot|apos|#39|#34);)")


def _escaped(context: Context) -> Iterator[Finding]:
    for call in context.response.calls[:CALLS_MAX] if context.response else ():
        for path, value in islice(values_in(call.arguments), VALUES_MAX):
            if not isinstance(value, str) or _PLAIN.search(value):
                continue
            if entity := _ENTITY.search(value):
                name = shown(written(list(path))) if path else "the argument"
                around = value[max(entity.start() - 20, 0) : entity.end() + 20]
                yield ESCAPED.finding(
                    f"Action {shown(call.name)}: {name} holds {entity[0]}: {shown(around)}.",
                    context.in_response(call.start, call.end),
                    "Some frameworks put the letter itself in its place, others take it as it stands here.",
                    {"call": call.index, "path": written(list(path)), "got": entity[0]},
                )


ESCAPED = Rule(
    "escaped-value",
    "warning",
    "An argument written with entities",
    "The model wrote &lt;, &gt; or &amp; where it means <, > or &, and never the letter itself. A command "
    "such as “a &amp;&amp; b” then does something else than was meant, unless the framework decodes it. "
    "Values that hold such letters plainly, as documents do, are left out.\n\n"
    "What to do: see what the framework made of it; say in the prompt that arguments are not escaped.",
    _escaped,
)
RULES = (ESCAPED,)
