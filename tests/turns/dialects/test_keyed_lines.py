"""Prompts of lines that begin with what they tell of."""

from inspector.turns.dialects.keyed_lines import MAX_LINES, keyed_lines


def told(text: str) -> list[tuple[str, str, str]]:
    return [(piece.title, piece.kind, text[piece.start : piece.end]) for piece in keyed_lines(text)]


def test_lines_of_known_kinds_are_pieces_and_prose_stands_between() -> None:
    text = "\nSystem: Be kind.\nStill kind.\nContext: pot 4\n\nIt is green.\n\n"
    text += "New Inputs: water\n\nRespond in JSON.\n"
    assert told(text) == [
        ("System", "instructions", "\nSystem: Be kind.\nStill kind.\n"),
        ("Context", "contexts", "Context: pot 4\n\n"),
        ("Text", "instructions", "It is green.\n\n"),
        ("New Inputs", "updates", "New Inputs: water\n\n"),
        ("Response Format", "format", "Respond in JSON.\n"),
    ]


def test_one_line_or_unknown_words_are_prose() -> None:
    assert told("Context: pot 4\nand more") == []
    assert told("Ida: hello\nLeo: hello") == []
    assert told("System:\nContext:") == []
    assert told("see Context: a\nsee System: b") == []


def test_many_lines_are_told_apart_up_to_a_limit() -> None:
    text = "Context: a\n" * (MAX_LINES * 2)
    pieces = keyed_lines(text)
    assert len(pieces) == MAX_LINES
    assert pieces[-1].end == len(text)
