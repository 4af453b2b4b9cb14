"""Signing in: by a link that works once, or with name and password."""

from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from inspector.sharing.links import shortened
from inspector.store import audit
from inspector.store.accounts import token_digest
from inspector.store.models import Member, SignIn
from inspector.web.fragments import page_or_fragment
from inspector.web.throttle import address_of, note_failure, too_many

BACKEND = "django.contrib.auth.backends.ModelBackend"
MOST_NOTED = 50


def next_of(request: HttpRequest) -> str:
    """Where to go afterwards: an own path, else the projects."""
    target = request.POST.get("next") or request.GET.get("next") or "/"
    return target if target.startswith("/") and url_has_allowed_host_and_scheme(target, None) else "/"


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password")
def sign_in(request: HttpRequest) -> HttpResponse:
    """Name and password. A wrong name and a wrong password look the same."""
    if request.method != "POST":
        return page_or_fragment(request, "signin/sign_in.html", {"next": next_of(request)})
    name = request.POST.get("username", "")[:150].replace("\x00", "")
    context = {"next": next_of(request), "username": name}
    if too_many(request, "sign-in"):
        problem = "Too many tries. Wait a minute, then try again."
        return page_or_fragment(request, "signin/sign_in.html", {**context, "problem": problem}, status=429)
    user = authenticate(request, username=name, password=request.POST.get("password", "")[:200])
    if user is None:
        note_failure(request, "sign-in")
        problem = "Name or password is wrong."
        return page_or_fragment(request, "signin/sign_in.html", {**context, "problem": problem}, status=403)
    login(request, user)
    note_sign_in(request, user, "password")
    return redirect(next_of(request))


def note_sign_in(request: HttpRequest, user: User, by: str) -> None:
    """Into the audit of each of the person's projects; of the address, only its network."""
    for member in Member.objects.filter(user=user).select_related("project").order_by("pk")[:MOST_NOTED]:
        audit.note(member.project, user, "member.sign_in", by=by, network=shortened(address_of(request)))


def usable(token: str) -> SignIn | None:
    """The link that this token opens, if it still does."""
    links = SignIn.objects.filter(used_at=None, expires_at__gt=timezone.now(), user__is_active=True)
    return links.filter(digest=token_digest(token)).first()


def used(link: SignIn) -> User | None:
    """Use the link up; None when somebody was faster."""
    with transaction.atomic():
        if not SignIn.objects.filter(pk=link.pk, used_at=None).update(used_at=timezone.now()):
            return None
        return User.objects.get(pk=link.user_id)


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """A link from the terminal or an invitation. Looking at it uses nothing up: scanners do that."""
    link = usable(token)
    if link is None and too_many(request, "link"):
        return page_or_fragment(request, "signin/link.html", {"good": False}, status=429)
    if request.method == "POST" and link is not None and (user := used(link)) is not None:
        login(request, user, backend=BACKEND)
        note_sign_in(request, user, "link")
        return redirect("/")
    if link is None:
        note_failure(request, "link")
    good = link is not None and request.method != "POST"
    return page_or_fragment(request, "signin/link.html", {"good": good}, status=200 if good else 404)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Out, on this browser."""
    logout(request)
    return redirect("/sign-in/")
