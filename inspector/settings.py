"""Django settings, read from the environment through small readers that refuse bad values.

README.md documents every variable; a test compares the two.
"""

import ipaddress
import os
import secrets
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP

BASE_DIR = Path(__file__).resolve().parent.parent

# ---------------------------------------------------------------- readers


def text(name: str, default: str = "") -> str:
    """The setting as text; ``NAME_FILE`` names a file to read it from."""
    if path := os.environ.get(f"{name}_FILE"):
        return Path(path).read_text(encoding="utf-8").strip()
    return os.environ.get(name) or default


def number(name: str, default: int, *, least: int = 0) -> int:
    """The setting as a whole number."""
    value = text(name)
    try:
        read = int(value) if value else default
    except ValueError:
        raise ImproperlyConfigured(f"{name}={value!r} is not a whole number.") from None
    if read < least:
        raise ImproperlyConfigured(f"{name}={value!r} is below {least}.")
    return read


def switch(name: str, default: bool) -> bool:
    """The setting as yes or no."""
    value = text(name).lower()
    if value in ("", "1", "true", "yes", "on", "0", "false", "no", "off"):
        return default if value == "" else value in ("1", "true", "yes", "on")
    raise ImproperlyConfigured(f"{name}={value!r}: write yes or no.")


def choice(name: str, *choices: str) -> str:
    """The setting as one of some words; the first is the default."""
    value = text(name, choices[0]).upper()
    if value not in choices:
        raise ImproperlyConfigured(f"{name}={value!r}: write one of {', '.join(choices)}.")
    return value


def words(name: str, default: str = "") -> list[str]:
    """The setting as a list, split at commas."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def secret_key(home: Path) -> str:
    """The signing key: given, or made once and kept in ``home``."""
    if key := text("INSPECTOR_SECRET_KEY"):
        return key
    path = home / "secret-key"
    if not path.exists():
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = home / f"secret-key.{os.getpid()}"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            # A link is there whole or not at all: a second process never reads half a key.
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii").strip()


def sqlite(path: str) -> dict[str, object]:
    """Django's settings of a SQLite database."""
    pragmas = (
        "journal_mode=WAL",
        f"synchronous={choice('INSPECTOR_SQLITE_SYNCHRONOUS', 'NORMAL', 'FULL', 'EXTRA')}",
        "busy_timeout=20000",
        "cache_size=-32000",
        "journal_size_limit=67108864",
    )
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        # A new connection for each request would run the pragmas each time.
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "".join(f"PRAGMA {pragma};" for pragma in pragmas),
        },
    }


def postgresql(url: str) -> dict[str, object]:
    """Django's settings of ``postgresql://user:password@host:port/name?option=value``."""
    parts = urlsplit(url)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": text("INSPECTOR_DATABASE_PASSWORD") or unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        # A pooled connection is asked before it is used: the server may have been restarted.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "pool": {"min_size": 1, "max_size": number("INSPECTOR_DATABASE_POOL", 8, least=1), "timeout": 10},
            **dict(parse_qsl(parts.query)),
        },
    }


def database(url: str, home: Path) -> dict[str, object]:
    """Django's settings of the database at a URL; without one, a SQLite file in ``home``."""
    scheme, _, path = url.partition("://")
    if not url:
        return sqlite(str(home / "inspector.sqlite3"))
    if scheme == "sqlite":
        return sqlite(path.removeprefix("/"))
    if scheme in ("postgres", "postgresql"):
        return postgresql(url)
    raise ImproperlyConfigured(f"INSPECTOR_DATABASE_URL is {scheme}://…; use sqlite:/// or postgresql://")


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


# ---------------------------------------------------------------- where and what

HOME = (
    Path(text("INSPECTOR_HOME") or Path.home() / ".local" / "share" / "prompt-inspector")
    .expanduser()
    .absolute()
)
HOST = text("INSPECTOR_HOST", "127.0.0.1")
PORT = number("INSPECTOR_PORT", 8000, least=1)
PUBLIC_URL = text("INSPECTOR_PUBLIC_URL").rstrip("/")
"""Where people and agents reach us, when that is not ``HOST:PORT``."""
_public = urlsplit(PUBLIC_URL)
if PUBLIC_URL and (_public.scheme not in ("http", "https") or not _public.hostname):
    raise ImproperlyConfigured(
        f"INSPECTOR_PUBLIC_URL={PUBLIC_URL!r}: write https://host or http://host:port."
    )
BEHIND_TLS = _public.scheme == "https"

DEBUG = switch("INSPECTOR_DEBUG", False)
if DEBUG and not (is_loopback(HOST) and is_loopback(_public.hostname or "localhost")):
    raise ImproperlyConfigured(
        "INSPECTOR_DEBUG shows settings and code to anybody: it works on loopback only."
    )

SECRET_KEY = secret_key(HOME)
ALLOWED_HOSTS = words("INSPECTOR_ALLOWED_HOSTS", f"localhost,127.0.0.1,[::1],{HOST}")
if _public.hostname:
    ALLOWED_HOSTS.append(_public.hostname)
TRUSTED_PROXIES = number("INSPECTOR_TRUSTED_PROXIES", 1 if BEHIND_TLS else 0)
"""How many proxies before us append to ``X-Forwarded-For``."""

MAX_BODY = number("INSPECTOR_MAX_BODY", 32 * 1024 * 1024, least=1024)
"""Bytes of a posted body, decompressed."""
INVITES = choice("INSPECTOR_INVITES", "OPERATORS", "OWNERS")
"""Who may make accounts for people who are new."""
SHARE_MAX_DAYS = number("INSPECTOR_SHARE_MAX_DAYS", 90, least=1)
"""For how many days a shared link may be good at most."""
BROKER_URL = text("INSPECTOR_BROKER_URL")
"""Redis, in team mode. Without one, the reading worker polls the database."""
FIRST_KEY = text("INSPECTOR_FIRST_KEY")
"""A key to create on first start, for automation."""

# ---------------------------------------------------------------- parts

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "inspector.store",
    "inspector.jobs",
    "inspector.ingest",
]
MIDDLEWARE = [
    "inspector.web.headers.Headers",
    "django.middleware.security.SecurityMiddleware",
    "inspector.api.middleware.ShortWay",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "inspector.urls"
WSGI_APPLICATION = "inspector.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "inspector.web.chrome.chrome",
            ],
            "builtins": ["inspector.web.tags"],
            "loaders": [("django.template.loaders.cached.Loader", ["inspector.web.loading.Loader"])],
        },
    }
]
DATABASES = {"default": database(text("INSPECTOR_DATABASE_URL"), HOME)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(text("INSPECTOR_STATIC_ROOT") or HOME / "static")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# ---------------------------------------------------------------- who may come in

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "/sign-in/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/sign-in/"

# Browsers keep one jar of cookies for all ports of a host: the port tells two of us apart.
_cookie = "__Host-inspector" if BEHIND_TLS else f"inspector-{PORT}"
SESSION_COOKIE_NAME = f"{_cookie}-session"
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_SECURE = BEHIND_TLS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = f"{_cookie}-csrf"
CSRF_COOKIE_SECURE = BEHIND_TLS
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = [f"{_public.scheme}://{_public.netloc}"] if PUBLIC_URL else []

# ---------------------------------------------------------------- what browsers are told

SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "object-src": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if BEHIND_TLS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    # Health checks come from beside us, without TLS.
    SECURE_REDIRECT_EXEMPT = [r"^health/"]
    SECURE_HSTS_SECONDS = number("INSPECTOR_HSTS_SECONDS", 365 * 24 * 3600)
# Whether sister hosts speak TLS, and whether browsers ship with that promise, is the domain's owner to say.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# ---------------------------------------------------------------- limits and logs

# Bodies are bounded while they stream in (ingest.limits); this one is for forms.
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "inspector.jobs.logs.OneLine"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {
        "handlers": ["stderr"],
        "level": choice("INSPECTOR_LOG_LEVEL", "INFO", "DEBUG", "WARNING", "ERROR"),
    },
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # Queries carry what people posted.
        "django.db.backends": {"level": "INFO"},
    },
}
