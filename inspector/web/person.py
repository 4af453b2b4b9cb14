"""The person who is signed in, as a user of ours."""

from django.contrib.auth.models import User
from django.http import HttpRequest


def person(request: HttpRequest) -> User:
    """Behind ``login_required`` only: there is always somebody."""
    user = request.user
    assert isinstance(user, User)
    return user
