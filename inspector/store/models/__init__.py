"""Every table."""

from inspector.store.models.finding import Finding
from inspector.store.models.project import Key, Member, Project
from inspector.store.models.record import Base, Outline, Record, SectionVersion, Words
from inspector.store.models.session import Session
from inspector.store.models.share import Audit, Share, ShareView, SignIn
from inspector.store.models.turn import Addition, ResultLink, Turn

__all__ = [
    "Addition",
    "Audit",
    "Base",
    "Finding",
    "Key",
    "Member",
    "Outline",
    "Project",
    "Record",
    "ResultLink",
    "SectionVersion",
    "Session",
    "Share",
    "ShareView",
    "SignIn",
    "Turn",
    "Words",
]
