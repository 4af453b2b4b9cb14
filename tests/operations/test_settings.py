"""Settings as an operator meets them: good ones work, bad ones are refused with a word."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import ROOT


def manage(tmp_path: Path, *args: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """An operators' command in a home of its own."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("INSPECTOR_")}
    env |= {
        "INSPECTOR_HOME": str(tmp_path / "home"),
        "DJANGO_SETTINGS_MODULE": "inspector.settings",
        **settings,
    }
    command = [sys.executable, "manage.py", *args]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)


def value(tmp_path: Path, expression: str, **settings: str) -> str:
    """What an expression over the settings says."""
    program = f"from django.conf import settings; print({expression})"
    done = manage(tmp_path, "shell", "--no-imports", "-v", "0", "-c", program, **settings)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("INSPECTOR_PORT", "eighty"),
        ("INSPECTOR_MAX_BODY", "-1"),
        ("INSPECTOR_DEBUG", "perhaps"),
        ("INSPECTOR_DATABASE_URL", "mysql://somewhere/else"),
        ("INSPECTOR_PUBLIC_URL", "inspector.example.com"),
        ("INSPECTOR_SQLITE_SYNCHRONOUS", "OFF"),
        ("INSPECTOR_LOG_LEVEL", "LOUD"),
    ],
)
def test_a_bad_value_is_refused_by_name(tmp_path: Path, name: str, bad: str) -> None:
    done = manage(tmp_path, "check", **{name: bad})
    assert done.returncode != 0
    assert name in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    "where", [{"INSPECTOR_HOST": "0.0.0.0"}, {"INSPECTOR_PUBLIC_URL": "http://inspector.example.com"}]
)
def test_debug_is_refused_where_others_could_see_it(tmp_path: Path, where: dict[str, str]) -> None:
    assert manage(tmp_path, "check", INSPECTOR_DEBUG="yes").returncode == 0
    assert manage(tmp_path, "check", INSPECTOR_DEBUG="yes", **where).returncode != 0


def test_deploy_check_of_a_team_behind_tls_has_no_warning(tmp_path: Path) -> None:
    done = manage(
        tmp_path,
        "check",
        "--deploy",
        "--fail-level",
        "WARNING",
        INSPECTOR_PUBLIC_URL="https://inspector.example.com",
    )
    assert done.returncode == 0, done.stderr
    assert "WARNINGS" not in done.stdout + done.stderr


def test_tls_makes_cookies_secure_and_trusts_one_proxy(tmp_path: Path) -> None:
    told = value(
        tmp_path,
        "settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_SECURE, settings.TRUSTED_PROXIES, "
        "settings.ALLOWED_HOSTS",
        INSPECTOR_PUBLIC_URL="https://inspector.example.com",
    )
    assert told.startswith("__Host-inspector-session True 1 ")
    assert "'inspector.example.com'" in told


def test_without_tls_no_proxy_is_believed(tmp_path: Path) -> None:
    assert (
        value(tmp_path, "settings.TRUSTED_PROXIES, getattr(settings, 'SECURE_PROXY_SSL_HEADER', None)")
        == "0 None"
    )


def test_a_secret_may_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("from-a-file-" * 6 + "\n", encoding="ascii")
    told = value(tmp_path, "settings.SECRET_KEY", INSPECTOR_SECRET_KEY_FILE=str(tmp_path / "secret"))
    assert told == "from-a-file-" * 6


def test_secret_key_is_made_once_and_kept(tmp_path: Path) -> None:
    first = value(tmp_path, "settings.SECRET_KEY")
    assert len(first) >= 50
    assert value(tmp_path, "settings.SECRET_KEY") == first


def test_database_password_stays_out_of_the_url_and_its_options_arrive(tmp_path: Path) -> None:
    told = value(
        tmp_path,
        "settings.DATABASES['default']['PASSWORD'], settings.DATABASES['default']['OPTIONS']['sslmode']",
        INSPECTOR_DATABASE_URL="postgresql://somebody@db.example.com:5433/name?sslmode=require",
        INSPECTOR_DATABASE_PASSWORD="p@ss/word",
    )
    assert told == "p@ss/word require"


@pytest.mark.parametrize("path", ["/a b/with space.sqlite3", "/plain/x.sqlite3"])
def test_sqlite_urls_are_absolute_paths(tmp_path: Path, path: str) -> None:
    told = value(
        tmp_path, "settings.DATABASES['default']['NAME']", INSPECTOR_DATABASE_URL=f"sqlite:///{path}"
    )
    assert told == path
