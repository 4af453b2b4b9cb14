"""The only module that calls text safe: it escapes first, then adds our own tags around it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from unicodedata import category

from django.utils.safestring import SafeString, mark_safe

from inspector.web.highlight import Span
from inspector.web.invisible import MARKED, STACKED, described, label, shown

LONGEST = 20_000
"""Code points of one line that are written into a page; the rest is counted and linked."""
EMPTY = SafeString("")
JOINERS = "\u200d\ufe0e\ufe0f"


@dataclass(frozen=True, slots=True)
class Flag:
    """A finding shown under its line."""

    verdict: str
    """``err``, ``warn`` or ``info``."""
    message: str


@dataclass(frozen=True, slots=True)
class CodeLine:
    """One line of text as it is drawn."""

    number: int
    anchor: str
    """``L12`` or ``R2``; must be made by us, never from content."""
    spans: Sequence[Span]
    verdict: str = ""
    flags: tuple[Flag, ...] = ()
    marked: bool = False
    """The line that the address asked for."""
    age: int = 0
    """1 (came long ago) to 5 (came last) where the turn that brought it is shown."""
    who: "Who | None" = None
    """On the first of lines that came together."""


@dataclass(frozen=True, slots=True)
class Who:
    """The turn that brought a line."""

    turn: str
    words: str
    href: str


def box(character: str) -> str:
    """A labelled box. The label is drawn by the stylesheet, so copying gives the character."""
    return (
        f'<span class="t-inv" data-c="{escape(label(character))}" title="{escape(described(character))}">'
        f"{escape(shown(character))}</span>"
    )


def is_emoji_joiner(text: str, at: int) -> bool:
    """A joiner inside an emoji is ordinary writing, not something hidden."""
    return (
        text[at] in JOINERS
        and at > 0
        and (ord(text[at - 1]) > 0x1F000 or category(text[at - 1]) in ("So", "Sk"))
    )


def safe_text(text: str) -> str:
    """Escaped text with boxes for what can't be seen. A str: only this module may call it safe."""
    if STACKED.search(text):
        text = STACKED.sub(lambda match: match[0][:8] + "\ufffd", text)
    if not MARKED.search(text):
        return escape(text)
    parts, last = [], 0
    for match in MARKED.finditer(text):
        at = match.start()
        if is_emoji_joiner(text, at) or (text[at] == "\r" and at == len(text) - 1):
            continue
        parts += [escape(text[last:at]), box(match[0])]
        last = at + 1
    return "".join([*parts, escape(text[last:])])


def visible(text: str) -> SafeString:
    """Text of any origin for a page, with invisible characters boxed."""
    return mark_safe(safe_text(text))  # noqa: S308


def span_markup(span: Span) -> str:
    """One run of colour."""
    inner = safe_text(span.text)
    return f'<span class="{span.css}">{inner}</span>' if span.css else inner


def cut(spans: Sequence[Span], longest: int) -> tuple[list[Span], int]:
    """The first ``longest`` code points of a line, and how many are left out."""
    kept: list[Span] = []
    room = longest
    total = sum(len(span.text) for span in spans)
    if total <= longest:
        return list(spans), 0
    for span in spans:
        if room <= 0:
            break
        kept.append(Span(span.css, span.text[:room]))
        room -= len(span.text)
    return kept, total - longest


def line_markup(spans: Sequence[Span], longest: int = LONGEST) -> str:
    """One line; an empty one holds a space so that it keeps its height."""
    kept, left_out = cut(spans, longest)
    inner = "".join(span_markup(span) for span in kept) or " "
    return (
        f'{inner}<span class="t-more" data-c="… {left_out:,} more characters"></span>' if left_out else inner
    )


def worded(spans: Sequence[Span], ranges: Sequence[tuple[int, int]], tag: str) -> SafeString:
    """One line with these code point ranges inside ``ins``, ``del`` or ``mark``, laid over its colours."""
    if tag not in ("ins", "del", "mark"):
        raise ValueError(tag)
    kept, left_out = cut(spans, LONGEST)
    out, at = [], 0
    wanted = sorted((max(start, 0), end) for start, end in ranges if end > start)
    for span in kept:
        for start, end, inside in pieces(at, at + len(span.text), wanted):
            inner = span_markup(Span(span.css, span.text[start - at : end - at]))
            out.append(f"<{tag}>{inner}</{tag}>" if inside else inner)
        at += len(span.text)
    rest = f'<span class="t-more" data-c="… {left_out:,} more characters"></span>' if left_out else ""
    return mark_safe(("".join(out) or " ") + rest)  # noqa: S308


def pieces(start: int, end: int, ranges: Sequence[tuple[int, int]]) -> Iterable[tuple[int, int, bool]]:
    """The stretch cut at the borders of the sorted ranges; True inside one."""
    at = start
    for low, high in ranges:
        low, high = max(low, at), min(high, end)
        if high <= low:
            continue
        if low > at:
            yield at, low, False
        yield low, high, True
        at = high
    if at < end:
        yield at, end, False


def flag_markup(flag: Flag) -> str:
    """A finding under its line."""
    verdict = flag.verdict if flag.verdict in ("err", "warn", "info") else "info"
    return f'<span class="code__flag v-{verdict}">{safe_text(flag.message)}</span>'


def who_markup(who: Who | None) -> str:
    """Who brought the line, drawn by the stylesheet: never copied with the text."""
    if who is None:
        return ""
    words = escape(who.words)
    return (
        f'<a class="code__who" href="{escape(who.href)}" data-n="{escape(who.turn)}" title="{words}"'
        f' aria-label="{words}"></a>'
    )


def code_line(line: CodeLine) -> str:
    """One addressable line; the number is drawn by the stylesheet and is never copied."""
    state = f" is-{line.verdict}" if line.verdict in ("err", "warn") else ""
    state += " is-marked" if line.marked else ""
    state += f" age-{line.age}" if line.age else ""
    return (
        f'<div class="code__line{state}" id="{escape(line.anchor)}">{who_markup(line.who)}'
        f'<a class="code__no" href="#{escape(line.anchor)}" data-n="{line.number}" tabindex="-1"'
        f' aria-label="Line {line.number}"></a><code>{line_markup(line.spans)}</code>'
        f"{''.join(flag_markup(flag) for flag in line.flags)}</div>"
    )


def code(lines: Iterable[CodeLine]) -> SafeString:
    """A block of lines."""
    return mark_safe("".join(map(code_line, lines)))  # noqa: S308


def inline(spans: Sequence[Span]) -> SafeString:
    """One line of colour without a number."""
    return mark_safe(line_markup(spans))  # noqa: S308


def block(lines: Iterable[Sequence[Span]]) -> SafeString:
    """Lines without numbers, for cards."""
    return mark_safe("\n".join(line_markup(spans) for spans in lines))  # noqa: S308
