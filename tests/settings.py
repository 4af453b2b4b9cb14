"""The product's settings with a throw-away home: tests can never touch somebody's data."""

import atexit
import os
import shutil
import tempfile

_home = tempfile.mkdtemp(prefix="inspector-test-")
atexit.register(shutil.rmtree, _home, ignore_errors=True)
os.environ["INSPECTOR_HOME"] = _home

from inspector.settings import *
from inspector.settings import DATABASES, MIDDLEWARE, STORAGES

if "sqlite3" in str(DATABASES["default"]["ENGINE"]):
    # A file, as in production: a database in memory has other locks and no WAL.
    DATABASES["default"]["TEST"] = {"NAME": os.path.join(_home, "test.sqlite3")}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# No manifest of hashed files is made for tests, and the pages' tests need none served.
MIDDLEWARE = [name for name in MIDDLEWARE if "whitenoise" not in name]
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
