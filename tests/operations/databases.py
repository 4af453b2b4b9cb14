"""New, empty databases on a Postgres server that tests share."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg


@contextmanager
def database(url: str) -> Iterator[str]:
    """URL of a new database on the server at ``url``; dropped afterwards."""
    name = f"inspector_{os.getpid()}_{time.monotonic_ns()}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
    yield urlsplit(url)._replace(path=f"/{name}").geturl()
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")
