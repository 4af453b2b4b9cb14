"""How to send the first turn."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from inspector.store.models import Key, Project, Session
from inspector.store.queries import membership, project_for
from inspector.web.crumbs import Crumb
from inspector.web.faults import translated
from inspector.web.fragments import go_to, nothing_new, page_or_fragment
from inspector.web.news import latest, newer
from inspector.web.numbers import number
from inspector.web.person import signed_in


@dataclass(frozen=True, slots=True)
class Snippet:
    """One way to post."""

    name: str
    about: str
    text: str


CURL = """curl {base}/api/v1/turns \\
  -H "Authorization: Bearer $INSPECTOR_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{{"session": "first-try", "agent": "curl", "model": "some-model",
       "prompt": "## Role\\nYou answer in one word.\\n\\n## Question\\nWhat is the capital of Norway?",
       "response": "Oslo"}}'"""
PYTHON = """from inspector.client import Logger

logger = Logger("{base}", key=os.environ["INSPECTOR_KEY"])
logger.turn(session="chat:alice", model=model, messages=messages, response=reply)"""
SCRIPT = """await fetch("{base}/api/v1/turns", {{
  method: "POST",
  headers: {{
    authorization: `Bearer ${{process.env.INSPECTOR_KEY}}`,
    "content-type": "application/json",
  }},
  body: JSON.stringify({{ session, model, messages, response }}),
}});"""
FILE = """python manage.py record turns.jsonl"""
SNIPPETS = (
    ("curl", "try it now", CURL),
    ("Python", "any framework", PYTHON),
    ("TypeScript", "plain fetch", SCRIPT),
    ("A file", "one turn a line, on this machine", FILE),
)
ANSWERS = (
    ("201", "Stored", "Look at Sessions; it is read in a moment"),
    ("400", "A field is missing or of the wrong type", "The answer names the field"),
    ("401", "The key is wrong or revoked", "Check the Authorization header"),
    ("409", "Another turn has this id", "Send each turn under an id of its own"),
    ("413", "Larger than the server takes", "The answer says the limit; INSPECTOR_MAX_BODY raises it"),
)


def snippets(request: HttpRequest) -> list[Snippet]:
    """With the address under which this browser reaches us."""
    base = request.build_absolute_uri("/").rstrip("/")
    return [Snippet(name, about, text.format(base=base)) for name, about, text in SNIPPETS]


def start_context(request: HttpRequest, project: Project) -> dict[str, Any]:
    """What the snippets and the waiting card need."""
    watch = f"{reverse('start-news', args=[project.slug])}?after={latest(project)}"
    return {
        "snippets": snippets(request),
        "answers": ANSWERS,
        "watch": watch,
        "sessions": Session.objects.filter(project=project).count(),
        "keys": Key.objects.filter(project=project, revoked_at=None).count(),
        "is_owner": membership(request.user, project.slug).role == "owner",
    }


@require_safe
@signed_in
@translated
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """The page."""
    project = project_for(request.user, slug)
    context = {
        "project": project,
        "crumbs": [Crumb("Sessions", reverse("sessions", args=[slug])), Crumb("Send a turn")],
        "has_turns": Session.objects.of(project).exists(),
    }
    return page_or_fragment(request, "start/start.html", context | start_context(request, project))


@require_safe
@signed_in
@translated
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """Asked while the page waits: 204, or off to the session that came."""
    project = project_for(request.user, slug)
    if not newer(project, number(request, "after") or 0):
        return nothing_new()
    session = Session.objects.of(project).newest().first()
    if session is None:
        return nothing_new()
    return go_to(reverse("session", args=[slug, session.short_id]))
