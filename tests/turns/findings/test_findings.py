"""The catalogue of rules, and what every finding must hold: place, words, bounds."""

from dataclasses import replace
from typing import Any

import pytest

from inspector.turns import RecentMemo, read_turn
from inspector.turns.findings import MAX_PER_RULE, RULES, Context, Rule, findings_of, rule_named
from inspector.turns.payload import Payload
from inspector.turns.turn import SEVERITIES, Contract, Finding, Message, Place, Turn
from inspector.turns.wires import read_payload
from tests.turns.findings.looking import answered, asked, daydreams, findings
from tests.turns.responses.reading import dialect


def only(payload: dict[str, Any], rule: str) -> Finding:
    """The one finding of a rule."""
    (found,) = [finding for finding in findings(payload) if finding.rule == rule]
    return found


def test_names_are_unique_and_found() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert rule_named(names[3]) is RULES[3]
    assert rule_named("no-such-rule") is None


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rule_is_documented(rule: Rule) -> None:
    assert rule.severity in SEVERITIES
    assert rule.title[0].isupper() or rule.title.startswith("“")
    assert "What to do: " in rule.about
    assert len(rule.about) > 100


def test_place_in_the_prompt_has_section_line_and_column() -> None:
    prompt = daydreams(state="User: {{user}}")
    finding = only({"prompt": prompt}, "unresolved-placeholder")
    where = finding.where
    assert where.part == "prompt"
    assert where.message == 0
    assert where.start is not None
    assert where.end is not None
    assert prompt[where.start : where.end] == "{{user}}"
    assert where.section is not None
    assert where.section.startswith("context-state")
    before = prompt[: where.start]
    assert (where.line, where.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))


def test_lines_count_over_all_messages() -> None:
    finding = only(asked("one\ntwo", "three {{ x\u200by }}"), "invisible-characters")
    assert (finding.where.message, finding.where.line, finding.where.column) == (1, 3, 11)


def test_place_in_the_response_is_the_very_value() -> None:
    call = '<action_call name="forecast">{"city": "Oslo", "days": "two"}</action_call>'
    response = f"<reasoning>a\nb</reasoning>\n{call}"
    finding = only(answered(response), "wrong-type")
    text = "<response>" + response
    assert finding.where.part == "response"
    assert text[finding.where.start : finding.where.end] == '"two"'
    assert finding.where.line == 3
    assert finding.data["path"] == "days"
    assert "must be a whole number" in finding.message


def test_nearest_name_is_offered() -> None:
    wrong = '<action_call name="Forecasts">{}</action_call></response>'
    finding = only(answered(wrong), "unknown-action")
    assert finding.data["nearest"] == "forecast"
    assert finding.hint == "Did it mean “forecast”?"


def test_misplaced_argument_is_found() -> None:
    wrong = '<action_call name="forecast">{"where": {"city": "Oslo"}}</action_call></response>'
    assert "one level up" in (only(answered(wrong), "missing-argument").hint or "")


def test_what_belongs_one_level_down_is_found() -> None:
    inner = '{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string"}}}'
    asks = '{"type":"object","properties":{"query":' + inner + '},"required":["query"]}'
    one = f'<action name="find"><description>Finds</description><schema>{asks}</schema></action>'
    sent = '<action_call name="find">{"city": "Oslo", "unit": "C"}</action_call></response>'
    hint = only(answered(sent, actions=one), "missing-argument").hint
    assert hint == "“city”, “unit” was sent at the top; it belongs inside “query”."


def test_secret_is_named_and_never_repeated() -> None:
    finding = only(asked("Use the key AKIAABCDEFGHIJKLMNOP."), "secret")
    assert "AKIAABCDEFGHIJKLMNOP" not in f"{finding}"
    assert finding.data["kind"] == "aws key id"


def test_errors_come_first() -> None:
    wrong = (
        '<action_call name="launch">{}</action_call><output name="text">x</output></response> and more of it'
    )
    order = [SEVERITIES.index(finding.severity) for finding in findings(answered(wrong))]
    assert order == sorted(order)
    assert len(set(order)) > 1


def test_flood_of_one_rule_is_bounded_and_counted() -> None:
    many = "".join('<action_call name="launch">{}</action_call>' for _ in range(MAX_PER_RULE + 10))
    found = [finding for finding in findings(answered(many)) if finding.rule == "unknown-action"]
    assert len(found) == MAX_PER_RULE
    assert found[-1].data["more"] == 10


def test_rule_that_raises_is_named_and_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(context: Context) -> list[Finding]:
        raise ZeroDivisionError

    monkeypatch.setattr("inspector.turns.findings.RULES", (replace(RULES[0], check=stumble), *RULES))
    turn = Turn(messages=(Message("user", "Hi \u200b"),))
    found = findings_of(Context(turn, dialect("generic", None), (), Contract(), None))
    assert found[0].rule == "reading-failed"
    assert found[0].where == Place("turn")
    assert RULES[0].name in found[0].message


def test_memo_changes_nothing() -> None:
    payload = answered(
        '<action_call name="note">{"text": "AKIAABCDEFGHIJKLMNOP"}</action_call>',
        state="User: {{user}} \u200b [object Object]",
    )
    turn = read_payload(Payload(payload))
    memo = RecentMemo()
    first, second = read_turn(turn, (), memo), read_turn(turn, (), memo)
    assert first.findings == second.findings == read_turn(turn).findings
    assert first.contract == second.contract == read_turn(turn).contract


def test_words_of_a_finding_can_be_seen_and_stored() -> None:
    wrong = '<action_call name="la\0un\u202ech\ud800' + "x" * 3_000 + '">{}</action_call></response>'
    finding = only(answered(wrong), "unknown-action")
    assert not {"\0", "\u202e", "\ud800", "\n"} & set(finding.message)
    assert len(finding.message) <= 600
    finding.message.encode()


@pytest.mark.parametrize(
    ("response", "rule", "message", "hint"),
    [
        (
            '<action_call name="forecast">{"city": 5}</action_call></response>',
            "wrong-type",
            "Action “forecast”: “city” must be text, got 5.",
            None,
        ),
        (
            '<action_call name="forecast">{"city": "Oslo", "days": "2"}</action_call></response>',
            "wrong-type",
            'Action “forecast”: “days” must be a whole number, got "2".',
            "Send 2 without quotes.",
        ),
        (
            '<output name="text">{"words": "hi"}</output></response>',
            "missing-argument",
            "Output “text” needs “content” (text); it is not given.",
            'Add "content": "…".',
        ),
        (
            '<action_call name="see">{}</action_call></response>',
            "unknown-action",
            "Action “see” is not offered by the prompt.",
            "The prompt offers forecast, note.",
        ),
    ],
)
def test_messages_are_said_as_a_person_would(
    response: str, rule: str, message: str, hint: str | None
) -> None:
    finding = only(answered(response), rule)
    assert (finding.message, finding.hint) == (message, hint)
