"""Templates are joined when they are loaded."""

from pathlib import Path

from django.conf import settings
from django.template.loader import get_template

from inspector.web.loading import joined

LONGEST = 300


def test_a_line_end_between_tags_is_taken_out_with_its_indentation() -> None:
    assert joined("<ul>\n  {% for x in y %}\n    <li>{{ x }}</li>\n  {% endfor %}\n</ul>") == (
        "<ul>{% for x in y %}<li>{{ x }}</li>{% endfor %}</ul>"
    )


def test_a_line_end_beside_text_is_a_space() -> None:
    assert joined("<p>one\n  two</p>\n{{ three }}\n<b>") == "<p>one two</p> {{ three }} <b>"


def test_a_space_in_a_line_stays() -> None:
    assert joined("</b> <i>") == "</b> <i>"


def test_templates_are_loaded_joined() -> None:
    assert ">\n  <" not in get_template("settings/settings.html").template.source  # type: ignore[attr-defined]


def test_templates_are_written_in_lines_that_a_person_can_read() -> None:
    folder = Path(settings.BASE_DIR) / "templates"
    long = [
        f"{path.relative_to(folder)}:{number} has {len(line)}"
        for path in sorted(folder.rglob("*.html"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert long == []
