"""The row of the catalogue: what it says of a finding or an error.

Invariants:
- Importing this module imports nothing but the standard library.
"""

import enum
from typing import Final

from oakum.values.records import dataclass


class Family(enum.StrEnum):
    """The subject that the codes of one hundred share."""

    TOOL = "tool"
    ESCAPE = "escape"
    CONCRETIZATION = "concretization"
    TRANSFORM = "transform"
    KEY = "key"
    SHAPE = "shape"
    GRADIENT = "gradient"
    DEVICE = "device"


_FAMILIES: Final = tuple(Family)


@dataclass(frozen=True, slots=True)
class Code:
    """One row of the catalogue.

    `name` reads after "this code has a"; `title` is a sentence without its full stop that says what
    was found; `cause` says why it is wrong, `hint` what to write instead.

    >>> from oakum.values.codes import TRACER_IN_BRANCH
    >>> TRACER_IN_BRANCH.code, TRACER_IN_BRANCH.name, TRACER_IN_BRANCH.command
    ('OAK201', 'tracer-in-branch', 'oakum explain OAK201')
    """

    code: str
    name: str
    title: str
    cause: str
    hint: str

    @property
    def command(self) -> str:
        """The shell command that shows the long explanation."""
        return f"oakum explain {self.code}"

    @property
    def family(self) -> Family:
        """The family, which the first digit determines."""
        return _FAMILIES[int(self.code[3])]

    def __str__(self) -> str:
        return self.code
