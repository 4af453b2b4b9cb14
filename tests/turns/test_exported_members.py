"""The public face: sorted, and all of it there."""

from inspector import turns


def test_all_is_sorted_and_there() -> None:
    assert turns.__all__ == sorted(
        turns.__all__, key=lambda name: (not name.isupper(), name[0].islower(), name)
    )
    assert all(hasattr(turns, name) for name in turns.__all__)
