"""The invariant under all reading of prompts: sections add up to exactly the text."""

from collections.abc import Sequence

from inspector.turns.turn import Section, Turn


def assert_whole(turn: Turn, sections: Sequence[Section]) -> None:
    """Top-level sections tile each message; children lie in their parents, in order, without overlap."""
    for index, message in enumerate(turn.messages):
        tops = [section for section in sections if section.message == index and section.depth == 0]
        assert "".join(message.text[section.start : section.end] for section in tops) == message.text
        assert [section.start for section in tops] == sorted(section.start for section in tops)
    assert len({section.path for section in sections}) == len(sections), "paths are unique"
    parents: list[tuple[Section, int]] = []
    for section in sections:
        assert section.start <= section.body_start <= section.body_end <= section.end
        assert section.start < section.end
        del parents[section.depth :]
        assert len(parents) == section.depth, "each depth has its parent"
        if parents:
            parent, free_from = parents[-1]
            assert parent.message == section.message
            assert free_from <= section.start
            assert section.end <= parent.end
            parents[-1] = (parent, section.end)
        parents.append((section, section.start))
