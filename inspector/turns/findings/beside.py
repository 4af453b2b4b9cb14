"""Rules on what was posted beside a prompt: the model asked for, a template, its values, texts found for it.

An agent may post ``requested_model``, ``template``, ``variables`` and ``retrieved`` as fields of their own
or in ``metadata``; what the prompt makes of them is checked here.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.turns.findings.dialogue import course
from inspector.turns.findings.pieces import found_in
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Finding, Place

_SLOT = re.compile(
    r"\{\{\s{0,4}[\w.]{1,60}\s{0,4}\}\}|\$\{[\w.]{1,60}\}|(?<!\{)\{[A-Za-z_][\w.]{0,60}\}(?!\})"
)
_TEXTS = ("text", "content", "page_content")
ANCHOR = 60
MAX_VALUES = 50


def _posted(context: Context, name: str) -> Any:
    metadata = context.turn.metadata
    value = context.turn.extra.get(name)
    return metadata.get(name) if value is None and isinstance(metadata, Mapping) else value


def _other_model(context: Context) -> Iterator[Finding]:
    asked, model = _posted(context, "requested_model"), context.turn.model
    if not isinstance(asked, str) or not model or _is_model(asked, model):
        return
    yield OTHER_MODEL.finding(
        f"The agent asked for the model {shown(asked)} and the turn went to {shown(model)}.",
        Place("turn"),
        "A session that is resumed may carry the model that it began with.",
        {"asked": asked, "model": model},
    )


def _is_model(asked: str, model: str) -> bool:
    """The same name, with or without a provider in front or a version behind."""
    short, full = (name.rpartition("/")[2].lower() for name in (asked, model))
    return short == full or full.startswith(f"{short}-") or short.startswith(f"{full}-")


def _not_shown(context: Context) -> Iterator[Finding]:
    yield from _values(context)
    yield from _retrieved(context)
    yield from _template(context)


def _values(context: Context) -> Iterator[Finding]:
    values = _posted(context, "variables")
    if not isinstance(values, Mapping) or not context.turn.messages:
        return
    going = course(context)
    for name, value in list(values.items())[:MAX_VALUES]:
        if not isinstance(value, str) or not value.strip() or _is_shown(context, value):
            continue
        same = going is not None and _system(going.old.turn.messages) == _system(context.turn.messages)
        yield VALUE_NOT_SHOWN.finding(
            f"The variable {shown(str(name))} is {shown(value)}, and the prompt does not hold it.",
            Place("prompt", 0),
            "The system's text is the same as in the turn before: it may hold an older value."
            if same
            else "The template does not use it, or was filled with something else.",
            {"name": str(name), "same_system": same},
        )


def _system(messages: Any) -> list[str]:
    return [message.text for message in messages if message.role in ("system", "developer")]


def _retrieved(context: Context) -> Iterator[Finding]:
    texts = _posted(context, "retrieved")
    if not isinstance(texts, list) or not context.turn.messages:
        return
    for index, item in enumerate(texts[:MAX_VALUES]):
        text = item if isinstance(item, str) else _text_of(item)
        if text and not _is_shown(context, text):
            yield VALUE_NOT_SHOWN.finding(
                f"A text that was found for this turn is not in the prompt: {shown(text)}.",
                Place("prompt", 0),
                "It was looked up and never reached the model.",
                {"index": index},
            )


def _text_of(item: Any) -> str:
    if isinstance(item, Mapping):
        return next((item[key] for key in _TEXTS if isinstance(item.get(key), str)), "")
    return ""


def _is_shown(context: Context, text: str) -> bool:
    wanted = text.strip()
    return any(wanted in message.text for message in context.turn.messages)


def _template(context: Context) -> Iterator[Finding]:
    """A slot of the posted template that is empty, or still a slot, in the prompt."""
    template = _posted(context, "template")
    if not isinstance(template, str) or len(template) > 200_000:
        return
    for slot in list(_SLOT.finditer(template))[:MAX_VALUES]:
        before, after = (
            template[max(slot.start() - ANCHOR, 0) : slot.start()],
            template[slot.end() : slot.end() + ANCHOR],
        )
        before = before[max((m.end() for m in _SLOT.finditer(before)), default=0) :]
        after = after[: next((m.start() for m in _SLOT.finditer(after)), len(after))]
        for value, what in (("", "is empty here"), (slot[0], "was never filled in")):
            place = _find(context, before, value, after)
            if place is not None:
                yield VALUE_NOT_SHOWN.finding(
                    f"{shown(slot[0])} of the template {what}: {shown(before[-30:] + value + after[:30])}.",
                    place,
                    "The value is missing, or its name is another one.",
                    {"slot": slot[0]},
                )
                break


def _find(context: Context, before: str, value: str, after: str) -> Place | None:
    if len(before.strip()) + len(after.strip()) < 8:
        return None
    for index, message in enumerate(context.turn.messages):
        at = message.text.find(before + value + after)
        if at >= 0:
            start = at + len(before)
            return context.in_prompt(index, start, start + max(len(value), 1))
    return None


def _braces(context: Context) -> Iterator[Finding]:
    roles = {message.role for message in context.turn.messages}
    for found in found_in(context):
        if found.hit.sort != "braces":
            continue
        role = context.turn.messages[found.section.message].role
        if role not in ("system", "developer") and not (role == "user" and roles == {"user"}):
            continue
        text = context.turn.messages[found.section.message].text
        yield DOUBLED_BRACES.finding(
            f"Doubled braces stand in the rendered prompt: {shown(text[found.start : found.start + 60])}.",
            context.in_prompt(found.section.message, found.start, found.end),
            "They were doubled to survive a template and never went through it, or once too often.",
            {},
        )
        return


OTHER_MODEL = Rule(
    "other-model",
    "warning",
    "Another model than was asked for",
    "The agent posted which model it asked for (`requested_model`, beside the turn or in its metadata), "
    "and the "
    "request carries another one. Versions of the same name are fine.\n\n"
    "What to do: look at where the model is chosen when a session is resumed.",
    _other_model,
)
VALUE_NOT_SHOWN = Rule(
    "value-not-shown",
    "warning",
    "A value that never reached the prompt",
    "The agent posted `variables`, a `template` or `retrieved` texts beside the turn or in its metadata, "
    "and the "
    "prompt does not hold a value of them, or holds the template's slot empty or unfilled.\n\n"
    "What to do: look at what was sent instead: an older rendering, another copy of the messages.",
    _not_shown,
)
DOUBLED_BRACES = Rule(
    "doubled-braces",
    "warning",
    "Braces that a template should have halved",
    "JSON in the prompt begins with two braces where one is meant. Templates ask for doubled braces "
    "around literal "
    "ones; these were rendered by none, and the model copies what it sees into its answers.\n\n"
    "What to do: render the text through the template, or write single braces where none is used.",
    _braces,
)

RULES = (OTHER_MODEL, VALUE_NOT_SHOWN, DOUBLED_BRACES)
