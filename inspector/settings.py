"""Django settings, read from the environment through small readers that refuse bad values."""

import os
import secrets
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent


def text(name: str, default: str = "") -> str:
    """The setting as text; ``NAME_FILE`` names a file to read it from."""
    if path := os.environ.get(f"{name}_FILE"):
        return Path(path).read_text(encoding="utf-8").strip()
    return os.environ.get(name, default)


def number(name: str, default: int) -> int:
    """The setting as a whole number."""
    value = os.environ.get(name, "")
    try:
        return int(value) if value else default
    except ValueError:
        raise ImproperlyConfigured(f"{name}={value!r} is not a whole number.") from None


def switch(name: str, default: bool) -> bool:
    """The setting as yes or no."""
    value = os.environ.get(name, "").lower()
    if value in ("", "1", "true", "yes", "on", "0", "false", "no", "off"):
        return default if value == "" else value in ("1", "true", "yes", "on")
    raise ImproperlyConfigured(f"{name}={value!r}: write yes or no.")


HOME = Path(text("INSPECTOR_HOME") or Path.home() / ".local" / "share" / "prompt-inspector").expanduser()


def secret_key() -> str:
    """The signing key: given, or made once and kept in ``HOME``."""
    if key := text("INSPECTOR_SECRET_KEY"):
        return key
    path = HOME / "secret-key"
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        HOME.mkdir(parents=True, exist_ok=True, mode=0o700)
        key = secrets.token_urlsafe(48)
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(key)
        except FileExistsError:
            return path.read_text(encoding="ascii").strip()
        return key


def database(url: str) -> dict[str, object]:
    """Django's settings of a database from ``sqlite:///path`` or ``postgresql://user:pw@host/name``."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": parts.path[1:] if parts.path.startswith("//") else parts.path,
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": (
                    "PRAGMA journal_mode=WAL;"
                    f"PRAGMA synchronous={text('INSPECTOR_SQLITE_SYNCHRONOUS', 'NORMAL')};"
                    "PRAGMA busy_timeout=20000;PRAGMA cache_size=-32000;"
                    "PRAGMA journal_size_limit=67108864;"
                ),
            },
        }
    if parts.scheme in ("postgres", "postgresql"):
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": str(parts.port or ""),
            "OPTIONS": {"pool": {"min_size": 1, "max_size": number("INSPECTOR_DATABASE_POOL", 8)}},
        }
    raise ImproperlyConfigured(f"INSPECTOR_DATABASE_URL has scheme {parts.scheme!r}; use sqlite:/// or postgresql://")


SECRET_KEY = secret_key()
DEBUG = False
ALLOWED_HOSTS = [host for host in text("INSPECTOR_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]").split(",") if host]
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "ninja",
    "inspector.store",
    "inspector.jobs",
]
DATABASES = {"default": database(text("INSPECTOR_DATABASE_URL") or f"sqlite:///{HOME / 'inspector.sqlite3'}")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
ROOT_URLCONF = "inspector.urls"
WSGI_APPLICATION = "inspector.wsgi.application"
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
