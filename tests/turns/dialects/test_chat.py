"""Messages by role and place."""

from inspector.turns.dialects.chat import MAX_RESULTS, Chat
from inspector.turns.turn import Message, Part, Turn


def test_results_of_one_message_are_told_apart_up_to_a_limit() -> None:
    count = MAX_RESULTS * 40
    parts = tuple(Part("tool_result", at * 2, at * 2 + 2, {"tool_use_id": str(at)}) for at in range(count))
    pieces = Chat(Turn(messages=(Message("user", "x " * count, parts=parts),)), {}).pieces(0)
    assert len(pieces) == MAX_RESULTS + 1
    assert pieces[-1].end == count * 2
    assert {piece.name for piece in pieces[:-1]} == {"tool"}
