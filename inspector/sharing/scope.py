"""Exactly what a link shows: one function a question, and whatever is not answered here is not shown.

| scope | turns | comparisons | sections |
| --- | --- | --- | --- |
| turn | that turn | none | those of the turn |
| section | none | none | that one |
| comparison | none | that one | none of their own |
| session | turns up to ``last_seq`` | of any two of those | those of the turns |
"""

from django.db.models import QuerySet

from inspector.sharing.errors import OutOfScope
from inspector.sharing.links import section_of
from inspector.store.models import Session, Share, Turn


def session_of(share: Share) -> Session:
    """The session that is shown."""
    if share.scope != Share.Scope.SESSION:
        raise OutOfScope
    return share.session


def turns_of(share: Share) -> QuerySet[Turn]:
    """The session's turns as they were when the link was made, in order."""
    session = session_of(share)
    return Turn.objects.filter(project=share.project_id, session=session, seq__lte=share.last_seq).order_by(
        "seq"
    )


def turn_of(share: Share, key: str | None = None) -> Turn:
    """The turn that is shown, or the session's turn with this id."""
    if share.scope == Share.Scope.SESSION and key is not None:
        return _one(turns_of(share), key)
    if share.scope != Share.Scope.TURN or share.turn is None or key not in (None, share.turn.key):
        raise OutOfScope
    return share.turn


def section_shown(share: Share) -> tuple[Turn, str]:
    """The turn and the path of the one section that is shown."""
    if share.scope != Share.Scope.SECTION or share.turn is None:
        raise OutOfScope
    return share.turn, section_of(share)


def comparison_of(share: Share, old: str | None = None, new: str | None = None) -> tuple[Turn, Turn]:
    """The two turns whose comparison is shown, older first, or those of the session with these ids."""
    if share.scope == Share.Scope.SESSION and old is not None and new is not None:
        turns = turns_of(share)
        return _one(turns, old), _one(turns, new)
    if share.scope != Share.Scope.COMPARISON or share.turn is None or share.old_turn is None:
        raise OutOfScope
    if old not in (None, share.old_turn.key) or new not in (None, share.turn.key):
        raise OutOfScope
    return share.old_turn, share.turn


def rows_of(share: Share) -> list[Turn]:
    """Every turn of which anything is shown: for what a preview counts and checks."""
    match share.scope:
        case Share.Scope.SESSION:
            return list(turns_of(share))
        case Share.Scope.COMPARISON:
            return list(comparison_of(share))
        case Share.Scope.SECTION:
            return [section_shown(share)[0]]
    return [turn_of(share)]


def holds(share: Share, seq: int | None) -> bool:
    """Whether a session's turn with this number is within the link."""
    return share.scope == Share.Scope.SESSION and seq is not None and seq <= share.last_seq


def _one(turns: QuerySet[Turn], key: str) -> Turn:
    found = turns.filter(key=key).first() if "\x00" not in key else None
    if found is None:
        raise OutOfScope
    return found
