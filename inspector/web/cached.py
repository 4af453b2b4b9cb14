"""The provider's own count of cached tokens beside ours, and what to think where they disagree."""

BLOCK = 128
"""Providers cache whole blocks of about so many tokens."""
LEAST = 1_024
"""Prompts shorter than this are cached by few."""
SLACK = 0.1
"""Another tokenizer may count so much differently."""


def disagreement(shared: int, reported: int | None) -> str:
    """Why the two counts differ, in plain words; empty when they agree well enough or one is not known."""
    if reported is None:
        return ""
    slack = BLOCK + int(SLACK * max(shared, reported))
    if reported > shared + slack:
        return (
            "The provider reused more than the turn before explains: another request may have shared more, "
            "or its count holds tools or images that ours does not."
        )
    if reported >= shared - slack:
        return ""
    if reported == 0 and shared < LEAST + slack:
        return f"Many providers cache nothing under {LEAST:,} tokens."
    if reported == 0:
        return "The provider reused nothing: caching is off, its cache had expired, or it went elsewhere."
    return "The provider reused less: it caches whole blocks, up to its breakpoints, and only for a while."
