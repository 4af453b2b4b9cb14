"""Templates are written in short, indented lines; none of that is sent.

When a template is loaded, a line end with the indentation after it is nothing between two tags and one space
elsewhere. So a space between two tags is written in one line: ``</b> <i>``.
"""

import re

from django.template import Origin
from django.template.loaders import filesystem

BETWEEN_TAGS = re.compile(r"(?:(?<=>)|(?<=%\}))\n\s*(?=<|\{%)")
ELSEWHERE = re.compile(r"\n\s*")


def joined(source: str) -> str:
    """The template's text without the line ends that only serve its reader."""
    return ELSEWHERE.sub(" ", BETWEEN_TAGS.sub("", source))


class Loader(filesystem.Loader):
    """Loads from the folders of ``TEMPLATES``, joined."""

    def get_contents(self, origin: Origin) -> str:
        """The text of a template file. Raises TemplateDoesNotExist."""
        return joined(super().get_contents(origin))
