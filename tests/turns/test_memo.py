"""The memo forgets the oldest."""

from inspector.turns.memo import RecentMemo


def test_memo_forgets_what_was_not_asked_for_the_longest() -> None:
    memo = RecentMemo(size=2)
    memo.set("a", 1)
    memo.set("b", 2)
    assert memo.get("a") == 1
    memo.set("c", 3)
    assert [memo.get(key) for key in "abc"] == [1, None, 3]
