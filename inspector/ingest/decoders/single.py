"""A body that is one turn."""

from inspector.ingest.errors import Invalid
from inspector.ingest.posted import Posted
from inspector.turns.errors import NotATurn
from inspector.turns.payload import parse


def turn(data: bytes) -> Posted:
    """One turn from its JSON. Raises Invalid."""
    try:
        return Posted(data, parse(data))
    except NotATurn as error:
        raise Invalid(str(error), field=error.field) from error


def item(data: bytes) -> Posted:
    """One turn of many: what is wrong with it is its own affair."""
    try:
        return turn(data)
    except Invalid as error:
        return Posted(data, {}, error)
