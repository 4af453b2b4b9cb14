"""What pages and programs ask. A thing is only got by a function that also asks whether this person may."""

from inspector.store.queries.cursors import Page
from inspector.store.queries.facets import Facets, facets_of
from inspector.store.queries.filters import Filters, sessions_matching, turns_matching
from inspector.store.queries.keys import make_key, project_of_key, revoke_key
from inspector.store.queries.paging import sessions_page, shares_page, turns_page, versions_page
from inspector.store.queries.projects import Role, membership, project_for, session_for, turn_for
from inspector.store.queries.turns import (
    Neighbours,
    due_since,
    neighbours,
    session_in,
    turn_in,
    turns_of,
    versions_of,
)

__all__ = [
    "Facets",
    "Filters",
    "Neighbours",
    "Page",
    "Role",
    "due_since",
    "facets_of",
    "make_key",
    "membership",
    "neighbours",
    "project_for",
    "project_of_key",
    "revoke_key",
    "session_for",
    "session_in",
    "sessions_matching",
    "sessions_page",
    "shares_page",
    "turn_for",
    "turn_in",
    "turns_matching",
    "turns_of",
    "turns_page",
    "versions_of",
    "versions_page",
]
