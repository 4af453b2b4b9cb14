"""Whether the model saw a text: never, since when, until when; for members."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from inspector.store.models import Project, Session
from inspector.store.models import Turn as Row
from inspector.store.queries import session_for
from inspector.store.texts import Texts
from inspector.turns.lineage import Presence, Sighting, presence
from inspector.web.chains import Chain, chain_of
from inspector.web.crumbs import crumbs
from inspector.web.faults import translated
from inspector.web.figures.lane import Lane, lane
from inspector.web.fragments import page_or_fragment
from inspector.web.person import signed_in
from inspector.web.tags import plural

LONGEST = 2_000
"""Code points of a text that is sought."""
LETTERS = 20_000_000
"""Code points of all prompts that are looked through."""
CELLS = 40
"""Most turns that have a cell each."""
STAYS = 40
"""Runs of turns that are listed."""
LOOSELY = 50
"""Latest turns in which a text that is nowhere is sought without regard to case and space."""


STATES = {
    "present": ("is-in", "in the prompt"),
    "cut": ("is-cut", "cut: only a part of it is there"),
    "masked": ("is-cut", "masked: some of its words are covered"),
    "said": ("is-said", "only said by the model"),
    "absent": ("", "not there"),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One turn of the lane."""

    seq: int
    href: str
    css: str
    words: str


@dataclass(frozen=True, slots=True)
class Stay:
    """Turns in a row that are alike."""

    words: str
    css: str
    what: str
    sections: str
    href: str
    line: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer in words, with what shows it."""

    css: str
    title: str
    words: str
    hint: str
    cells: list[Cell]
    lane: Lane | None
    stays: list[Stay]
    stays_left: int
    looked_at: int
    left_out: int


@require_safe
@signed_in
@translated
def find(request: HttpRequest, slug: str, short_id: str) -> HttpResponse:
    """The answer as a page, or as the part that the session's page shows under its box."""
    session = session_for(request.user, slug, short_id)
    text = asked(request.GET.get("text", ""))
    context: dict[str, Any] = {
        "frame": "base.html",
        "project": session.project,
        "crumbs": crumbs(session.project, session, "Did the model see it?"),
        "session": session,
        "text": text,
        "presence": reverse("presence", args=[slug, short_id]),
        "answer": answer(session.project, session, text) if text else None,
    }
    return page_or_fragment(request, "presence/presence.html", context, part="answer")


def asked(text: str) -> str:
    """The text as prompts hold it: forms send other line ends."""
    return text.replace("\r\n", "\n").replace("\x00", "").strip()[:LONGEST]


def affordable(chain: Chain) -> Sequence[Row]:
    """The latest turns whose prompts may all be looked through; the last one always."""
    room, count = LETTERS, 0
    for row in reversed(chain.rows):
        room -= row.prompt_chars
        if room < 0 and count:
            break
        count += 1
    return chain.rows[len(chain.rows) - count :]


def answer(project: Project, session: Session, text: str) -> Answer:
    """The answer for one text."""
    chain = chain_of(session)
    rows = affordable(chain)
    found = presence(Texts(rows), text) if rows else Presence((), None, None, "never")
    css, title, words = in_words(found, len(rows), len(text))
    hint = loosely(rows[-LOOSELY:], text) if found.verdict == "never" else ""

    def href(sighting: Sighting) -> str:
        page = reverse("turn", args=[project.slug, sighting.turn])
        if sighting.state == "said":
            return f"{page}?tab=response"
        return f"{page}?line={sighting.line}#L{sighting.line}" if sighting.line else page

    stays = stays_of(found, href)
    return Answer(
        css,
        title,
        words,
        hint,
        [Cell(each.seq, href(each), *state(each)) for each in found.turns] if len(rows) <= CELLS else [],
        lane([each.present for each in found.turns], [each.only_in_response for each in found.turns])
        if len(rows) > CELLS
        else None,
        stays[:STAYS],
        max(0, len(stays) - STAYS),
        len(rows),
        session.turn_count - len(rows),
    )


def state(sighting: Sighting) -> tuple[str, str]:
    """Class and words of one turn."""
    return STATES[sighting.state]


def in_words(found: Presence, count: int, size: int) -> tuple[str, str, str]:
    """Verdict, and the answer as a person would give it; ``size`` code points are sought."""
    seqs = [each.seq for each in found.turns if each.present]
    said = [each.seq for each in found.turns if each.only_in_response]
    last = found.turns[-1].seq if found.turns else 0
    if found.verdict == "never":
        prompts = (
            f"None of {plural(count, 'prompt')} holds" if count != 1 else "The only prompt does not hold"
        )
        return "err", "Never", f"{prompts} it, and the model never said it."
    if found.verdict == "only-said":
        return (
            "warn",
            "Only said by the model",
            f"First in its response to turn {said[0]}. No prompt holds it.",
        )
    if found.verdict in ("cut", "masked"):
        return in_part(found, seqs, size)
    if found.verdict == "left":
        return (
            "warn",
            f"Left at turn {found.left}",
            (f"It entered at turn {found.entered} and was last seen in turn {seqs[-1]}."),
        )
    away = sum(1 for each in found.turns if not each.present and each.seq > seqs[0])
    gaps = f" In {plural(away, 'turn')} between it was not there." if away else ""
    return "ok", f"There since turn {found.entered}", f"Turn {last}, the latest one, has it.{gaps}"


def in_part(found: Presence, seqs: list[int], size: int) -> tuple[str, str, str]:
    """The answer for a text of which the latest prompt holds a part; ``seqs``: the turns with all of it."""
    last = found.turns[-1]
    first = found.left or next(each.seq for each in found.turns if each.state == last.state)
    whole = (
        f"It entered at turn {found.entered} and was last whole in turn {seqs[-1]}. "
        if seqs
        else "No prompt holds it whole. "
    )
    if found.verdict == "masked":
        return (
            "warn",
            f"Masked at turn {first}",
            f"{whole}Turn {last.seq} covers some of its words: {last.kept:,} of {size:,} characters can be "
            "read, and nobody can tell whether the rest is this.",
        )
    rest = (
        f"Turn {last.seq} has {last.kept:,} of its {size:,} characters."
        if last.kept
        else f"What held it says in turn {last.seq} that something was left out."
    )
    return "warn", f"Cut at turn {first}", f"{whole}{rest}"


def stays_of(found: Presence, href: Any) -> list[Stay]:
    """Runs of turns that are alike, the latest first."""
    runs: list[list[Sighting]] = []
    for each in found.turns:
        if runs and alike(runs[-1][-1], each):
            runs[-1].append(each)
        else:
            runs.append([each])
    return [stay(run[0], run[-1], href) for run in reversed(runs)]


def alike(one: Sighting, other: Sighting) -> bool:
    """Both tell the same."""
    return (one.state, one.sections) == (other.state, other.sections)


def stay(first: Sighting, last: Sighting, href: Any) -> Stay:
    """One run; it links to the latest of its turns."""
    css, what = state(first)
    words = f"Turn {first.seq}" if first.seq == last.seq else f"Turns {first.seq}–{last.seq}"
    return Stay(words, css, what, ", ".join(last.sections[:6]), href(last), last.line)


def loosely(rows: Sequence[Row], text: str) -> str:
    """Where a text is that differs in case and space alone."""
    wanted = squeezed(text)
    if not wanted:
        return ""
    for read in Texts(rows):
        if any(wanted in squeezed(message.text) for message in read.turn.messages):
            return f"Turn {read.seq} has it with other capitals or other spacing."
    return ""


def squeezed(text: str) -> str:
    """Without space, in small letters."""
    return "".join(text.split()).casefold()
