"""A person's own account: the password."""

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from inspector.web.crumbs import Crumb
from inspector.web.fragments import page_or_fragment
from inspector.web.person import person, signed_in

LONGEST = 200


def problem_of(request: HttpRequest) -> str:
    """What is wrong with the form; empty when nothing is."""
    user, new = person(request), request.POST.get("new", "")
    if user.has_usable_password() and not user.check_password(request.POST.get("old", "")[:LONGEST]):
        return "The password you have now is wrong."
    if len(new) > LONGEST:
        return f"A password has at most {LONGEST} characters."
    if new != request.POST.get("again", ""):
        return "The two new passwords differ."
    try:
        validate_password(new, user)
    except ValidationError as error:
        return " ".join(error.messages)
    return ""


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("old", "new", "again")
@signed_in
def account(request: HttpRequest) -> HttpResponse:
    """The form, and what came of it. Other browsers are signed out; this one stays."""
    user, problem, done = person(request), "", False
    if request.method == "POST":
        problem = problem_of(request)
        if not problem:
            user.set_password(request.POST["new"])
            user.save(update_fields=["password"])
            update_session_auth_hash(request, user)
            done = True
    context = {
        "crumbs": [Crumb("Account")],
        "has_password": user.has_usable_password(),
        "problem": problem,
        "done": done,
    }
    return page_or_fragment(request, "signin/account.html", context, status=400 if problem else 200)
