"""Makes an installation ready to serve: tables, static files, a first owner; and says how to begin."""

import hashlib
import shlex
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from inspector import __version__
from inspector.jobs.first_start import FirstStart, address, first_start, owner_of_installation, sign_in_link

EXAMPLE = (
    '{"session": "hello", "prompt": "# Role\\nYou are a friendly agent.\\n\\n# Task\\nSay hello.", '
    '"response": "Hello!"}'
)


def prepare() -> FirstStart | None:
    """Brings tables and static files up to date; tells what was made if this is the first start."""
    Path(settings.HOME).mkdir(parents=True, exist_ok=True, mode=0o700)
    call_command("migrate", interactive=False, verbosity=0)
    collect_static_files()
    return first_start()


def collect_static_files() -> None:
    """Hashes and compresses static files into ``STATIC_ROOT``, if they have changed since the last time."""
    stamp = Path(settings.STATIC_ROOT) / "stamp"
    now = fingerprint()
    try:
        if stamp.read_text(encoding="ascii") == now:
            return
    except FileNotFoundError:
        pass
    call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    stamp.write_text(now, encoding="ascii")


def fingerprint() -> str:
    """Changes whenever a static file changes."""
    digest = hashlib.sha256(__version__.encode())
    for finder in get_finders():
        for path, storage in finder.list(None):
            content = hashlib.sha256(Path(storage.path(path)).read_bytes()).hexdigest()
            digest.update(f"{path} {content}\n".encode())
    return digest.hexdigest()


def welcome(made: FirstStart | None) -> str:
    """What a person needs to begin: where we are, how to sign in and, at first, a command to paste."""
    lines = ["", f"Prompt Inspector {__version__} is at {address()}", ""]
    if owner := owner_of_installation():
        lines += ["  Sign in (this link works once, within an hour):", f"    {sign_in_link(owner)}", ""]
    if made:
        lines += first_key(made)
    return "\n".join([*lines, f"  Data: {settings.HOME}", ""])


def first_key(made: FirstStart) -> list[str]:
    """The key, unless whoever started us knows it, and how to post with it."""
    shown = "$INSPECTOR_FIRST_KEY" if made.key_was_given else made.key
    lines = []
    if not made.key_was_given:
        lines += [
            f"  Key of “{made.project.name}” (may post and read; shown only this once,",
            "  `manage.py key` or the settings page make another):",
            f"    {made.key}",
            "",
        ]
    return [
        *lines,
        "  Post a first turn:",
        f"    curl {address()}/api/v1/turns \\",
        f'      -H "Authorization: Bearer {shown}" -H "Content-Type: application/json" \\',
        f"      -d {shlex.quote(EXAMPLE)}",
        "",
    ]
