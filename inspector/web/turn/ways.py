"""How a turn's sections are shown: each way is a link that keeps the others, so an address shows the same."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest

NAMES = {"open": "all", "blame": "1", "pretty": "1"}
"""What switches each on in the address."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Those of one address."""

    open: bool
    """All panels are open."""
    blame: bool
    """Beside each line the turn that brought it."""
    pretty: bool
    """JSON is laid out over lines."""

    @property
    def kept(self) -> dict[str, str]:
        """What the address says of them."""
        return {name: value for name, value in NAMES.items() if getattr(self, name)}

    @property
    def toggled(self) -> dict[str, str]:
        """For each the address in which it is the other way."""
        return {name: self.address(**{name: not getattr(self, name)}) for name in NAMES}

    @property
    def lines(self) -> str:
        """What is asked for with the lines of one section: those ways that change how lines look."""
        address = self.address(open=False)
        return "" if address == "?" else address

    @property
    def more(self) -> str:
        """The address up to where more of the query follows."""
        return "?" + "".join(f"{name}={value}&" for name, value in self.kept.items())

    def address(self, **changed: bool) -> str:
        """The address with some of them changed; ``?`` alone when none is chosen."""
        wanted = {name: value for name, value in NAMES.items() if changed.get(name, getattr(self, name))}
        return "?" + urlencode(wanted)


def ways_of(request: HttpRequest, *, may_blame: bool) -> Ways:
    """Those that the address asks for. A visitor of a share sees no other turns: nobody to blame."""
    asked = {name: request.GET.get(name) == value for name, value in NAMES.items()}
    return Ways(asked["open"], may_blame and asked["blame"], asked["pretty"])
