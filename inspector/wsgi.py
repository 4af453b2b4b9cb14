"""The application that a WSGI server calls: ``granian --interface wsgi inspector.wsgi:application``."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "inspector.settings")
application = get_wsgi_application()
# Pages are loaded now: a fault in one must keep the server from starting, not fail each request.
get_resolver().url_patterns  # noqa: B018
