"""The provider's own count of cached tokens beside ours, and what to think where they disagree."""

BLOCK = 128
"""Providers cache whole blocks of about so many tokens."""
LEAST = 1_024
"""Prompts shorter than this are cached by few."""
SLACK = 0.1
"""Another tokenizer may count so much differently."""


def disagreement(shared: int, reported: int | None, readable: int | None = None) -> str:
    """Why the two counts differ, in plain words; empty when they agree well enough or one is not known.

    ``readable``: what the request's own cache breakpoints let the provider read, if it sets any.
    """
    if reported is None:
        return ""
    most = shared if readable is None else readable
    slack = BLOCK + int(SLACK * max(most, reported))
    if reported > most + slack:
        return (
            "The provider reused more than the turn before explains: another request may have shared more, "
            "or its count holds tools or images that ours does not."
        )
    if reported >= most - slack:
        return _held_back(shared, readable, slack)
    if reported == 0 and most < LEAST + slack:
        return f"Many providers cache nothing under {LEAST:,} tokens."
    if reported == 0:
        return "The provider reused nothing: caching is off, its cache had expired, or it went elsewhere."
    if readable is not None:
        return (
            f"The provider reused less than the {readable:,} tokens that its breakpoints allow: what it "
            "had kept may have expired, or lie too far before them."
        )
    return "The provider reused less: it caches whole blocks, up to its breakpoints, and only for a while."


def _held_back(shared: int, readable: int | None, slack: int) -> str:
    """The provider did what it was asked for, which is less than it could do."""
    if readable is None or readable >= shared - slack:
        return ""
    return (
        f"Its breakpoints let it read {readable:,} of the {shared:,} tokens that both prompts share: "
        "set one nearer to where they part."
    )
