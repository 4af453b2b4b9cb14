"""Prompts of no known framework: what is structure and what is only mentioned."""

import pytest

from inspector.turns.dialects.generic import GENERIC, likelihood
from inspector.turns.dialects.names import WORDS, kind_of, words_of
from inspector.turns.dialects.outline import MAX_PIECES
from inspector.turns.sections import Sections, sections_of
from inspector.turns.turn import KINDS, Message, Turn
from tests.turns.whole import assert_whole


def cut(*messages: tuple[str, str], kinds: dict[str, str] | None = None) -> Sections:
    turn = Turn(messages=tuple(Message(role, text) for role, text in messages))
    found = sections_of(turn, GENERIC, kinds or {})
    assert_whole(turn, found.sections)
    return found


def outlined(text: str, role: str = "system", kinds: dict[str, str] | None = None) -> list[tuple[str, str]]:
    return [(section.path, section.kind) for section in cut((role, text), kinds=kinds).sections]


PLAIN = [("system", "instructions")]


def test_it_always_says_a_little() -> None:
    assert likelihood(Turn()) == 0.1


@pytest.mark.parametrize(
    "text",
    [
        "Write to <filename> or <path>.\n",
        "<short_task_desc>\n",
        "A tag <tools> in prose and </tools> again\n",
        "```\n<tools>\nx\n</tools>\n# no\n```\n",
        "<!--\n<tools>\nx\n</tools>\n-->\n",
        'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    x\n',
        "List<String> a;\nif (a < b && c > d) {}\n<br>\n",
        "<div>\n<p>\nhtml\n</p>\n</div>\n",
        "Usage:\n<read_file>\n<path>x</path>\n</read_file>\n",
        "For example:\n<context>\nx\n</context>\n",
        "Write your answer in the following way:\n<answer>\nx\n</answer>\n",
        "Remember: this is prose\nSo: is this\n",
        "const a = <Button>\n  x\n</Button>;\n",
        "<Foo>inline</Foo>\n",
        "#hashtag and #5\n",
        "    # indented code\n",
        "<ContextMenu>\n  <Item>\n  x\n  </Item>\n</ContextMenu>\n",
    ],
)
def test_what_is_only_mentioned_is_no_section(text: str) -> None:
    assert outlined(text) == PLAIN


def test_label_of_an_answers_form_holds_the_form() -> None:
    assert outlined("Response format:\n<answer>\nx\n</answer>\n") == [("response-format", "format")]


def test_tags_inside_an_example_are_no_sections() -> None:
    text = "<rules>\nx\ny\n</rules>\n<example>\n<context>\nx\n</context>\n</example>\n"
    assert [path for path, _ in outlined(text)] == ["rules", "example"]


def test_heading_inside_a_tag_is_text() -> None:
    assert outlined("<completion_contract>\n# Completion contract\nx\n</completion_contract>\n") == [
        ("completion_contract", "instructions")
    ]


def test_headings_nest_and_a_title_over_all_stays_beside_them() -> None:
    text = "# Agent\nhi\n## Tools\n### read\nx\n### write\ny\n## Rules\nz\n"
    assert outlined(text) == [
        ("agent", "instructions"),
        ("tools", "actions"),
        ("tools/read", "actions"),
        ("tools/write", "actions"),
        ("rules", "instructions"),
    ]


def test_heading_with_nothing_but_a_tag_is_one_section() -> None:
    found = cut(("system", "## What you may do\n<tools>\n<tool name='a'>\nx\n</tool>\n</tools>\n\n## End\n"))
    first = found.sections[0]
    assert (first.path, first.title, first.syntax, first.kind) == (
        "tools",
        "What you may do",
        "heading",
        "actions",
    )
    assert found.sections[1].path == "tools/tool[a]"


def test_rule_above_a_heading_belongs_to_it() -> None:
    found = cut(("system", "intro\n\n---\n\n***\n## A\nx\n"))
    assert [section.start for section in found.sections] == [0, 7]


def test_roles_give_kinds() -> None:
    found = cut(
        ("system", "s"),
        ("user", "u1"),
        ("assistant", "a1"),
        ("user", "u2"),
        ("assistant", "a2"),
        ("tool", "t"),
    )
    assert [section.kind for section in found.sections] == [
        "instructions",
        "history",
        "history",
        "updates",
        "history",
        "updates",
    ]


def test_last_assistant_message_is_a_prefill() -> None:
    last = cut(("user", "u"), ("assistant", "Sure, ")).sections[-1]
    assert (last.path, last.kind, last.title) == ("prefill", "format", "Prefill")


def test_headings_in_a_chat_are_what_somebody_said() -> None:
    found = cut(("user", "# A\nx"), ("assistant", "# B\ny"), ("user", "# C\nz"))
    assert [section.path for section in found.sections] == ["user", "assistant", "user#2"]


def test_tags_that_a_host_adds_to_a_users_message_are_sections() -> None:
    text = (
        "<system-reminder>\nx\n</system-reminder>\nplease\n<environment_details>\ny\n</environment_details>\n"
    )
    found = cut(("user", "hi"), ("assistant", "ho"), ("user", text))
    assert [(section.path, section.kind) for section in found.sections[2:]] == [
        ("system-reminder", "instructions"),
        ("user#2", "updates"),
        ("environment_details", "environment"),
    ]


def test_results_in_a_users_message_are_what_was_said() -> None:
    text = "<returncode>\n0\n</returncode>\n<output>\nok\n</output>\n"
    found = cut(("user", "hi"), ("assistant", "ho"), ("user", text))
    assert [section.path for section in found.sections] == ["user", "assistant", "user#2"]


def test_path_of_a_heading_is_stable_when_its_date_is_not() -> None:
    text = "### Memory [last modified: 2025-03-31]\nx\n### Notes (3)\ny\n### (only)\nz\n"
    assert [path for path, _ in outlined(text)] == ["memory", "notes", "only"]


def test_tag_left_open_is_noted() -> None:
    (note,) = cut(("system", "<available_tools>\nx\n\n<context>\ny\n</context>\n")).notes
    assert (note.rule, note.message, note.start, note.end) == ("unclosed-section", 0, 0, 17)


def test_placeholder_on_a_line_of_its_own_is_not_left_open() -> None:
    assert cut(("system", "Answer:\n<your_answers>\nand\n<filename>\n<thoughts>\nok")).notes == ()


def test_projects_own_names_open_sections() -> None:
    text = "<div>\nx\n</div>\nFoo:\n- a\n\n## Tools\ny\n"
    kinds = {"div": "memory", "Foo": "contexts", "tools": "none"}
    assert outlined(text, kinds=kinds) == [("div", "memory"), ("foo", "contexts")]


def test_unknown_own_kind_is_ignored() -> None:
    assert outlined("## Tools\ny\n", kinds={"tools": "nonsense"}) == [("tools", "actions")]


def test_very_many_headings_are_not_all_sections() -> None:
    assert len(cut(("system", "# a\nx\n" * (MAX_PIECES + 10))).sections) <= MAX_PIECES + 1


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("available-actions", "actions"),
        ("toolUseInstructions", "instructions"),
        ("Tool Use Guidelines", "instructions"),
        ("output_format", "format"),
        ("Output Methods", "outputs"),
        ("contexts", "contexts"),
        ("runtime_context", "environment"),
        ("memory_blocks", "memory"),
        ("Recent Conversation History", "history"),
        ("userRequest", "updates"),
        ("Instructions for tools", "instructions"),
        ("Policies", "instructions"),
        ("AGENTS.md", "documents"),
        ("可用工具", "actions"),
        ("当前任务", "updates"),
        ("输出格式", "format"),
        ("浇花", None),
        ("zebra", None),
        ("", None),
    ],
)
def test_kind_by_name(name: str, kind: str | None) -> None:
    assert kind_of(name) == kind


def test_names_table_holds_known_kinds_only() -> None:
    assert set(WORDS.values()) <= set(KINDS)
    assert words_of("toolUse_Instructions-v2") == "tool use instructions v2"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Format your final answer according to this JSON schema: {}", "format"),
        ("Ensure your final answer strictly adheres to the following OpenAPI schema: {}", "format"),
        ("Give your answer to the user. Be kind.", "instructions"),
        ("You write. Format your answer as JSON.", "instructions"),
    ],
)
def test_system_message_on_nothing_but_the_answers_form(text: str, kind: str) -> None:
    assert [section.kind for section in cut(("system", text), ("user", "Hi")).sections] == [kind, "updates"]
