"""What can go wrong with a link.

SharingError
 +-- NotShareable    such a link can't be made; ``field`` names what is wrong
 +-- LinksOff        the project allows no links
 +-- LinkGone        no such link, or it has expired, was revoked, or its project or maker lost the right
 +-- TooManyMisses   this address asked for too many links that don't exist
 +-- OutOfScope      the link is good, but not for this
"""


class SharingError(Exception):
    """Base of this room's errors."""


class NotShareable(SharingError):
    """Such a link can't be made; ``field`` names what is wrong, ``str()`` says how to mend it."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


class LinksOff(SharingError):
    """The project's owner switched links off."""


class LinkGone(SharingError):
    """The token opens nothing. Says no more, so that nobody learns which tokens once did."""


class TooManyMisses(SharingError):
    """Too many wrong tokens from one address in a minute."""


class OutOfScope(SharingError):
    """The link doesn't show what was asked for."""
