"""Answers in tags: what is read, what is flagged, and that nothing is lost."""

import pytest

from tests.turns.responses.reading import assert_nothing_lost, heard, read

WHOLE = (
    "<response>\n<reasoning>Two things to do.</reasoning>\n"
    '<action_call name="forecast" contextKey="room">{"city": "Bergen"}</action_call>\n'
    '<output name="text">{"content": "A moment."}</output>\n</response>'
)


def test_parts_of_a_whole_answer_are_read_with_their_places() -> None:
    response = read(WHOLE)
    assert (response.syntax, response.complete, response.stray) == ("tagged", True, ())
    assert [span.text for span in response.reasoning] == ["Two things to do."]
    (call,) = response.calls
    assert (call.name, call.arguments, call.json, call.status) == (
        "forecast",
        {"city": "Bergen"},
        "strict",
        "ok",
    )
    assert call.attributes == {"contextKey": "room"}
    assert call.start is not None
    assert call.raw_start is not None
    assert WHOLE[call.start : call.end].startswith("<action_call")
    assert WHOLE[call.raw_start :].startswith(call.raw)
    (output,) = response.outputs
    assert (output.name, output.data, output.status) == ("text", {"content": "A moment."}, "ok")


def test_prefill_is_part_of_the_text_that_is_read() -> None:
    response = read('<output name="plain">Hi</output></response>', prefill="<response>")
    assert response.prefill_chars == 10
    assert response.text.startswith("<response><output")
    assert [output.raw for output in response.outputs] == ["Hi"]


@pytest.mark.parametrize(
    ("prefill", "text", "thoughts"),
    [
        ("<think>", "still on </think><response></response>", ["still on "]),
        ("<think>", "<response><reasoning>new</reasoning></response>", ["new"]),
        ("<response>\n<reasoning>", "<reasoning>again</reasoning>", ["again"]),
        ("<response>\n<reasoning>", "going on</reasoning>", ["going on"]),
        ("", "opener was in the template</think>", ["opener was in the template"]),
        ("<response>", "<response><thinking>twice</thinking></response>", ["twice"]),
    ],
)
def test_reasoning_goes_on_from_its_prefill(prefill: str, text: str, thoughts: list[str]) -> None:
    assert [span.text for span in read(text, prefill).reasoning] == thoughts


@pytest.mark.parametrize(
    ("tag", "attributes"),
    [
        ("<action_call name='note' >", {}),
        ('<action_call name = "note">', {}),
        ('<action_call\n  name="note"\n>', {}),
        ('<ACTION_CALL name="note">', {}),
        ('<action_call name="note" why="a > b">', {"why": "a > b"}),
        ('<action_call name="note" reply-to="5">', {"reply-to": "5"}),
        ("<action_call name=note>", {}),
    ],
)
def test_tags_in_odd_forms_are_read_as_they_were_meant(tag: str, attributes: dict[str, str]) -> None:
    close = "</ACTION_CALL>" if "ACTION" in tag else "</action_call>"
    (call,) = read(f'<response>{tag}{{"a": 1}}{close}</response>').calls
    assert (call.name, call.attributes, call.arguments) == ("note", attributes, {"a": 1})


@pytest.mark.parametrize(
    ("text", "quirk"),
    [
        ('<output name="plain">never closed</response>', "unclosed"),
        ("<reasoning>never closed</response>", "unclosed"),
        ("<reasoning>a</reasoning></output></response>", "orphan-close"),
        ("<reasoning>a</thinking>", "crossed"),
        ('<response><output name="plain">a</output></response><response></response>', "response-again"),
        ("<reasoning>a</reasoning><output na", "cut-tag"),
        ('<reasoning>a <action_call name="note">{}</action_call></reasoning>', "call-in-reasoning"),
        ('<!-- <action_call name="note">{}</action_call> --><reasoning>b</reasoning>', "commented"),
        ("<action_call>{}</action_call>", "no-name"),
        ('<output name="plain"\n{"content"}</output>', "half-open"),
        ('\n/output name="plain">hi</output>', "slash-for-bracket"),
        ("```xml\n<response><reasoning>a</reasoning></response>\n```", "fenced"),
    ],
)
def test_what_is_mended_is_told(text: str, quirk: str) -> None:
    found = heard(text)
    assert quirk in [each.name for each in found.quirks]
    assert_nothing_lost(found.response)


def test_calls_inside_unclosed_reasoning_are_not_calls() -> None:
    response = read('<reasoning>I do it <action_call name="note">{}</action_call>\n</response>')
    assert response.calls == ()
    assert "<action_call" in response.reasoning[0].text


def test_commented_call_is_not_a_call() -> None:
    response = read('<response><!-- <action_call name="note">{}</action_call> --></response>')
    assert response.calls == ()
    assert response.stray[0].text.startswith("<!--")


@pytest.mark.parametrize(
    "body",
    [
        '{"a": "ends with </action_call> inside"}',
        '{"a": "<action_call name=\\"note\\">{}</action_call>"}',
        '```json\n{"a": "</action_call>"}\n```',
    ],
)
def test_closing_tag_inside_a_string_does_not_close(body: str) -> None:
    (call,) = read(f'<response><action_call name="note">{body}</action_call></response>').calls
    assert call.raw == body
    assert call.json == "strict"


def test_call_without_its_closing_tag_does_not_swallow_the_next() -> None:
    response = read('<action_call name="note">{"a": 1}\n<output name="plain">b</output></response>')
    assert [call.arguments for call in response.calls] == [{"a": 1}]
    assert [output.raw for output in response.outputs] == ["b"]


def test_tags_that_are_only_mentioned_are_words() -> None:
    text = (
        "<reasoning>I use `<output>`, '<action_call>' and (</reasoning>) here; List<String> too.</reasoning>"
    )
    response = read(text)
    assert response.reasoning[0].text == text[11:-12]


def test_text_around_is_stray_and_white_space_is_not() -> None:
    response = read("Here it is:\n<response>\n\n<reasoning>a</reasoning>\n</response>\nBye")
    assert [span.text.strip() for span in response.stray] == ["Here it is:", "Bye"]


def test_markup_inside_an_output_is_its_text() -> None:
    (output,) = read('<output name="plain"><div class="x"><b>Hi</b></div> a < b</output>').outputs
    assert output.raw == '<div class="x"><b>Hi</b></div> a < b'


def test_child_tags_are_arguments_where_the_offer_says_xml() -> None:
    (call,) = read(
        '<action_call name="page"><title>A & <b>b</b></title><body>if (a<b) {}</body></action_call>'
    ).calls
    assert call.arguments == {"title": "A & <b>b</b>", "body": "if (a<b) {}"}


def test_unknown_names_are_unknown() -> None:
    response = read('<action_call name="launch">{}</action_call><output name="fax">x</output>')
    assert (response.calls[0].status, response.outputs[0].status) == ("unknown", "unknown")


SAMPLES = [
    WHOLE,
    "<think>hm</think><response><reasoning>a < b</reasoning>\n"
    '<action_call name="forecast">```json\n{"city": "Oslo \\"x\\" \u2603", "days": 3}\n```</action_call>'
    '<action_call name="note">{"deep": [{"a": [1, 2.5, true, null]}], "s": "</action_call>"}</action_call>'
    "</response>",
    'Sure!\n<response><output name="plain" to="x">Hi <b>you</b></output>'
    "<action_call name='note'>{}</action_call>",
]


@pytest.mark.parametrize("sample", SAMPLES)
def test_cut_anywhere_it_loses_no_text_and_no_call_before_the_cut(sample: str) -> None:
    whole = read(sample)
    for cut in range(len(sample) + 1):
        response = read(sample[:cut])
        assert response.text == sample[:cut]
        assert_nothing_lost(response)
        before = [call for call in whole.calls if call.end is not None and call.end <= cut]
        kept = [(call.name, call.raw, call.arguments, call.start, call.end) for call in response.calls]
        assert kept[: len(before)] == [
            (call.name, call.raw, call.arguments, call.start, call.end) for call in before
        ]


@pytest.mark.parametrize("cut", [40, 70, 100, 120])
def test_answer_cut_inside_a_part_is_not_complete(cut: int) -> None:
    assert not read(WHOLE[:cut]).complete


def test_tags_written_with_entities_are_read_and_told() -> None:
    text = (
        "&lt;reasoning&gt;a &amp;amp; b&lt;/reasoning&gt;\n"
        "&lt;action_call name=&quot;note&quot;&gt;{&quot;a&quot;: &quot;b&quot;}&lt;/action_call&gt;"
    )
    found = heard(text)
    assert [quirk.name for quirk in found.quirks] == ["escaped"]
    (call,) = found.response.calls
    assert (call.name, call.arguments) == ("note", {"a": "b"})
    assert text[call.start : call.end].startswith("&lt;action_call")
    assert text[call.raw_start : call.end].startswith(call.raw)


def test_entities_inside_readable_tags_stay() -> None:
    (output,) = read('<output name="plain">a &lt;output&gt; b</output>').outputs
    assert output.raw == "a &lt;output&gt; b"
