"""A dialect's card: what a framework's prompts look like, what they offer and how they are answered."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from inspector.turns.shape import shape
from inspector.turns.turn import Contract, Kind, ResponseSyntax, Section, Syntax, Turn

NO_KINDS: Mapping[str, str] = {}


@shape
class Piece:
    """A section as a dialect cuts it, before lines, tokens and digests are known.

    Offsets are code points of the message's text. ``name`` is the path's segment; repeats are numbered later.
    """

    start: int
    end: int
    kind: Kind
    title: str
    name: str
    syntax: Syntax = "text"
    body_start: int = -1
    """-1: where the piece starts."""
    body_end: int = -1
    """-1: where the piece ends."""
    children: tuple["Piece", ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)

    def with_kind(self, kind: Kind) -> "Piece":
        """This piece and its children with another kind."""
        return replace(self, kind=kind, children=tuple(child.with_kind(kind) for child in self.children))

    def moved(self, by: int) -> "Piece":
        """This piece of a stretch as a piece of the text that the stretch begins in at offset ``by``."""
        return replace(
            self,
            start=self.start + by,
            end=self.end + by,
            body_start=self.body_start + by if self.body_start >= 0 else -1,
            body_end=self.body_end + by if self.body_end >= 0 else -1,
            children=tuple(child.moved(by) for child in self.children),
        )


@shape
class Note:
    """Something seen while cutting that a person should know: it becomes a finding of the rule it names."""

    rule: str
    """``forged-boundary``, ``unclosed-section`` …"""
    message: int
    start: int
    end: int
    text: str
    """What was seen, in plain words."""


@shape
class Cut:
    """A turn's messages cut into pieces: one sequence of top-level pieces a message."""

    messages: tuple[tuple[Piece, ...], ...]
    layout: str | None = None
    notes: tuple[Note, ...] = ()


@shape
class Tags:
    """The tags of a tagged answer. Empty tuples where a dialect has none."""

    container: str | None = None
    reasoning: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    names: tuple[str, ...] = ("name", "type")
    """Attributes that hold the name of a call or an output, the likeliest first; none: the tag's own name."""
    lists: tuple[str, ...] = ()
    """Tags of calls that list calls by their names: ``<actions>REPLY,FOLLOW</actions>``."""


@shape
class Fences:
    """The fences of an answer in words whose fenced text is a command."""

    names: tuple[str, ...] = ()
    """Info strings that count; none: any fence does."""
    last: bool = False
    """Only the last fence is run."""
    element: str = ""
    """A tag that may hold the command instead of a fence."""
    code: str = ""
    """What runs the fenced text where it is code and not a command."""
    inline: bool = False
    """Fences hold a function call in one line; a stop sequence may have taken their end."""


Split = Callable[[Turn, Mapping[str, str]], Cut]
Offers = Callable[[Turn, Sequence[Section]], Contract]


@shape
class Dialect:
    """The card of one dialect. ``likelihood`` is 0 to 1; the generic dialect always says 0.1."""

    name: str
    title: str
    likelihood: Callable[[Turn], float]
    split: Split
    """Cuts the turn's messages. Second argument: the project's own names → kinds ("none": no section)."""
    layouts: tuple[str, ...] = ()
    grammar: ResponseSyntax = "text"
    """The grammar that an answer is expected in. ``text``: nothing is expected, look for yourself."""
    tags: Tags = field(default_factory=Tags)
    fences: Fences | None = None
    """The fences whose text is a command, where an answer is words around one."""
    default_prefill: str = ""
    """What a response's text is taken to continue when the turn shows no prefill."""
    references: str | None = None
    """Name of the rule by which template references are resolved, or None: there are none."""
    offers: Offers | None = None
    """Reads what a prompt offers, where the shared reading of ``<action>`` and ``<output>`` tags won't do."""
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What differs between layouts: layout → fact → value. ``""`` holds for all that say nothing else."""
    bare: bool = False
    """Whether a prompt may be the conversation alone: it then speaks as the turn that it goes on from."""
    layout: str | None = None
    """The layout of the turn at hand, once it is known."""

    def at(self, layout: str | None) -> "Dialect":
        """This card, knowing the layout of the turn at hand and the grammar that it is answered in."""
        card = replace(self, layout=layout)
        return replace(card, grammar=card.fact("grammar", self.grammar))

    def fact(self, name: str, default: Any = None) -> Any:
        """A fact that depends on the layout."""
        for key in (self.layout or "", ""):
            facts = self.facts.get(key, {})
            if name in facts:
                return facts[name]
        return default
