"""Vendored files are what their list says."""

import hashlib
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "static" / "vendor"


def listed() -> dict[str, str]:
    rows = [
        line.split("|")
        for line in (FOLDER / "VENDORED.md").read_text().splitlines()
        if line.startswith("| `")
    ]
    return {row[1].strip(" `"): row[-2].strip(" `") for row in rows}


def test_every_vendored_file_has_the_hash_in_the_list() -> None:
    files = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in FOLDER.iterdir()
        if path.suffix == ".js"
    }
    assert files
    assert files == listed()
