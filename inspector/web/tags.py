"""Filters and tags of the templates: numbers, times and drawings in words. Built in to every template."""

from datetime import UTC, datetime

from django import template
from django.utils import timezone
from django.utils.safestring import SafeString

from inspector.web import markup
from inspector.web.kinds import KindCard, card

register = template.Library()
MINUS = "\u2212"


@register.filter
def number(value: object) -> str:
    """``12,345``; nothing for what is no number."""
    return f"{value:,}" if isinstance(value, int) else ""


@register.filter
def signed(value: int | None) -> str:
    """``+195``, ``−3`` or ``=``."""
    if not value:
        return "="
    return f"+{value:,}" if value > 0 else f"{MINUS}{-value:,}"


@register.filter
def short(value: int) -> str:
    """A large count for a head line: ``4.1 M``."""
    for size, unit in ((1_000_000_000, "G"), (1_000_000, "M"), (10_000, "k")):
        if value >= size:
            return f"{value / (1000 if unit == 'k' else size):.1f} {unit}"
    return f"{value:,}"


@register.filter
def percent(part: int | None, whole: int | None) -> str:
    """``39 %``; under ten with one decimal, so that 1.4 is not 1; a dash for nothing to divide."""
    if part is None or not whole:
        return "–"
    share = 100 * part / whole
    return f"{share:.1f} %" if 0 < share < 9.95 else f"{share:.0f} %"


@register.filter
def width(part: int | None, whole: int | None) -> str:
    """Width of a bar, 0 to 100; anything above zero is seen."""
    if not part or not whole:
        return "0"
    return f"{min(100.0, max(1.5, 100 * part / whole)):.1f}"


@register.filter
def took(milliseconds: int | float | None) -> str:
    """``1.42 s``, ``85 ms``; a dash when it is not known."""
    if milliseconds is None:
        return "–"
    return f"{milliseconds / 1000:.2f} s" if abs(milliseconds) >= 1000 else f"{milliseconds:.0f} ms"


@register.filter
def clock(when: datetime | None) -> str:
    """``10:30:42``, UTC."""
    return when.astimezone(UTC).strftime("%H:%M:%S") if when else "–"


@register.filter
def day(when: datetime | None) -> str:
    """``30 Nov 2026, 10:30:42 UTC``."""
    return f"{when.astimezone(UTC):%-d %b %Y, %H:%M:%S} UTC" if when else "–"


@register.filter
def iso(when: datetime | None) -> str:
    """For ``<time datetime>``."""
    return f"{when.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if when else ""


def span_words(seconds: float) -> str:
    """A span of time with one unit."""
    for size, unit in ((86400, "day"), (3600, "h"), (60, "min")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {unit}{'s' if unit == 'day' and count != 1 else ''}"
    return f"{int(seconds)} s"


@register.filter
def ago(when: datetime | None) -> str:
    """``12 s ago``."""
    if when is None:
        return "–"
    return f"{span_words(max(0, (timezone.now() - when).total_seconds()))} ago"


@register.filter
def ahead(when: datetime) -> str:
    """``in 6 days``, or ``expired``."""
    seconds = (when - timezone.now()).total_seconds()
    return f"in {span_words(seconds)}" if seconds > 0 else "expired"


@register.filter
def size(count: int | None) -> str:
    """Bytes for people: ``11,881 B``, ``1.2 MB``."""
    if count is None:
        return "–"
    for limit, unit in ((1_000_000, "MB"), (100_000, "kB")):
        if count >= limit:
            return f"{count / (1_000_000 if unit == 'MB' else 1000):.1f} {unit}"
    return f"{count:,} B"


@register.filter
def plural(count: int | None, words: str) -> str:
    """``3 turns``: ``words`` is ``turn`` or ``entry,entries``."""
    one, _, many = words.partition(",")
    return f"{count or 0:,} {one if count == 1 else many or one + 's'}"


@register.filter
def kind(name: str) -> KindCard:
    """The card of a kind."""
    return card(name)


@register.filter
def visible(text: object) -> SafeString:
    """Content with its invisible characters boxed."""
    return markup.visible(str(text))


@register.filter
def initials(name: str) -> str:
    """Two letters for the avatar."""
    words = [word for word in name.replace(".", " ").replace("_", " ").replace("-", " ").split() if word]
    letters = "".join(word[0] for word in words[:2]) or "?"
    return letters.upper() if len(letters) > 1 else name[:2].upper()
