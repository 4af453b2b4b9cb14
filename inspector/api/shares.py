"""Making, listing and revoking links that show something to people without a sign-in."""

from datetime import datetime
from typing import Any

from django.http import HttpResponse
from ninja import Router

from inspector.api import answers, schemas
from inspector.api.bodies import body_of
from inspector.api.keys import ApiRequest, Caller, person_of, via
from inspector.api.replies import json_reply
from inspector.sharing import links
from inspector.sharing.errors import NotShareable
from inspector.store import queries, readings
from inspector.store.errors import NotFound
from inspector.store.models import Share
from inspector.turns.errors import TurnError
from inspector.turns.payload import parse

router = Router(tags=["Shares"])
FIELDS = {
    "scope": str, "turn": str, "old_turn": str, "session_id": str,
    "section": str, "label": str, "mask": list, "expires_at": str,
}  # fmt: skip


@router.post("/shares", **schemas.POST_SHARE)
def post_share(request: ApiRequest) -> HttpResponse:
    """Make a link. The address is shown in this answer and never again.

    The link stands for the person who made the key, and ends with that person's place in the project.
    """
    asked = _asked(parse(body_of(request)))
    caller = request.auth
    share, token = links.create(
        caller.project,
        scope=asked.get("scope", ""),
        session=_found(queries.session_in, caller, asked.get("session_id")),
        turn=_found(queries.turn_in, caller, asked.get("turn")),
        old_turn=_found(queries.turn_in, caller, asked.get("old_turn")),
        section=_section(caller, asked),
        label=asked.get("label", ""),
        mask=_mask(asked),
        expires_at=_time(asked.get("expires_at")),
        by=person_of(caller, "member"),
        via=via(caller),
    )
    address = f"{answers.site(request)}/s/{token}/"
    return json_reply(answers.share_answer(share) | {"url": address}, 201)


@router.get("/shares", **schemas.GET_SHARES)
def get_shares(request: ApiRequest, cursor: str | None = None, limit: int = 100) -> HttpResponse:
    """The project's links, latest first; their addresses are not kept.

    `next` is the cursor of the next page.
    """
    page = queries.shares_page(request.auth.project, None, cursor, limit)
    return json_reply({"shares": [answers.share_answer(share) for share in page.items], "next": page.next})


@router.delete("/shares/{share_id}", **schemas.DELETE_SHARE)
def delete_share(request: ApiRequest, share_id: str) -> HttpResponse:
    """Revoke a link of one's own, or any for an owner: from now on it opens nothing.

    Doing it again changes nothing.
    """
    caller = request.auth
    share = None
    if share_id.isascii() and share_id.isdecimal() and len(share_id) < 19:
        share = (
            Share.objects.filter(project=caller.project, pk=int(share_id)).select_related("project").first()
        )
    if share is None:
        raise NotFound("No such link.")
    person = person_of(caller, "member")
    if share.created_by_id != person.pk:
        person_of(caller, "owner")
    links.revoke(share, person, via=via(caller))
    share.refresh_from_db()
    return json_reply(answers.share_answer(share))


def _asked(payload: dict[str, Any]) -> dict[str, Any]:
    """The fields that were sent, of the right types."""
    for name, value in payload.items():
        if name not in FIELDS:
            raise NotShareable(f"Unknown field {name!r}: use {', '.join(FIELDS)}.", name)
        if value is not None and not isinstance(value, FIELDS[name]):
            raise NotShareable(f"{name} must be {'a list' if FIELDS[name] is list else 'a string'}.", name)
    return {name: value for name, value in payload.items() if value is not None}


def _mask(asked: dict[str, Any]) -> list[str]:
    mask = asked.get("mask", ["secrets"])
    if not all(isinstance(name, str) for name in mask):
        raise NotShareable("mask must be a list of names.", "mask")
    return list(mask)


def _found(find: Any, caller: Caller, key: str | None) -> Any:
    return None if key is None else find(caller.project, key)


def _section(caller: Caller, asked: dict[str, Any]) -> str:
    """The path, once it is sure that the turn has such a section."""
    path, key = str(asked.get("section", "")), asked.get("turn")
    if path and key:
        try:
            reading = readings.reading_of(queries.turn_in(caller.project, key))
        except TurnError:
            raise NotFound("No such section.") from None
        if all(section.path != path for section in reading.sections):
            raise NotFound("No such section.")
    return path


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise NotShareable("expires_at must be a time in ISO 8601.", "expires_at") from None
