"""``@shape``: a dataclass whose values never change, which the type checker sees to.

Asking the interpreter as well (``frozen=True``) makes a value four times as slow to build, and a reading is
hundreds of them.
"""

from dataclasses import dataclass, field
from typing import dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def shape[Kind](kind: type[Kind]) -> type[Kind]:
    """A class with slots, comparable and hashable by its fields."""
    return dataclass(slots=True, unsafe_hash=True)(kind)
