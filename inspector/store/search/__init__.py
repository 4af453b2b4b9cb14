"""Searching a project: by words through the index, or for an exact text by a bounded scan."""

from inspector.store.search.finding import Hit, SearchPage, search

__all__ = ["Hit", "SearchPage", "search"]
