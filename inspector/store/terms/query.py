"""What a person types into the search box, understood: words, "phrases" and prefix*."""

import re
from dataclasses import dataclass

from inspector.store.errors import BadQuery
from inspector.store.terms.words import asked, owner_term

MAX_LENGTH = 1_000
MAX_TERMS = 32
_TERM = re.compile(r'"([^"]*+)("?)|([^\s"]++)')


@dataclass(frozen=True, slots=True)
class Term:
    """Words that must follow each other; of a prefix, the last one may go on."""

    words: tuple[str, ...]
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """All terms must be there."""

    terms: tuple[Term, ...]

    def for_sqlite(self, project_id: int) -> str:
        """As FTS5 wants it. Words hold letters, digits, ``_`` and ``$`` only, so quoting is safe."""
        phrases = [f'"{" ".join(term.words)}"{"*" if term.is_prefix else ""}' for term in self.terms]
        return " AND ".join([f'"{owner_term(project_id)}"', *phrases])

    def for_postgres(self, project_id: int) -> str:
        """As a tsquery is written: all the words, since its index knows no places; see ``phrases``."""
        words = [f"'{word}'" for term in self.terms for word in term.words[: -1 if term.is_prefix else None]]
        prefixes = [f"'{term.words[-1]}':*" for term in self.terms if term.is_prefix]
        return " & ".join([f"'{owner_term(project_id)}'", *words, *prefixes])

    def phrases(self) -> list[str]:
        """What must stand in the line of a row's words, which has a space before each and one at its end."""
        return [
            f" {' '.join(term.words)}{'' if term.is_prefix else ' '}"
            for term in self.terms
            if len(term.words) > 1
        ]


def parse(text: str) -> Query:
    """The query that a text is. Raises BadQuery, which explains."""
    if len(text) > MAX_LENGTH:
        raise BadQuery(f"A search has at most {MAX_LENGTH} characters; this one has {len(text)}.")
    terms: list[Term] = []
    for phrase, closed, word in _TERM.findall(text):
        if not word and not closed:
            raise BadQuery('A quote is not closed. Write "a phrase" in two quotes, or leave them out.')
        is_prefix = word.endswith("*")
        found = asked(word.rstrip("*") if word else phrase, prefix=is_prefix)
        if found:
            terms.append(Term(tuple(found), is_prefix or _is_character(found)))
    if not terms:
        raise BadQuery("There is no word to look for: search for letters or digits, or for the exact text.")
    if len(terms) > MAX_TERMS:
        raise BadQuery(f"A search has at most {MAX_TERMS} words and phrases; this one has {len(terms)}.")
    return Query(tuple(terms))


def _is_character(found: list[str]) -> bool:
    """A lone character of those that are indexed in pairs: every pair that begins with it will do."""
    return len(found) == 1 and found[0].startswith("$") and len(bytes.fromhex(found[0][1:]).decode()) == 1
