"""A finding: one place in a program, what is wrong with it, and how it was proved."""

import enum

from oakum.values.records import dataclass, field
from oakum_lint.text.edits import Fix


class Severity(enum.StrEnum):
    """How a finding is shown: an `error` fails at run time, a `warning` may not; `information` is
    right, and the code around it says that nothing may be wrong: it is shown where it is asked for.
    """

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"


class Confidence(enum.StrEnum):
    """How sure a finding is.

    `proved`: it happens on every run that reaches the traced call, and the analysis knows each
    value and each step of the way there. `likely`: a link of that chain is weak.
    """

    PROVED = "proved"
    LIKELY = "likely"


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A range of a file: lines and columns from 1, columns in code points, the end exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True, order=True)
class Related:
    """A place that explains a finding: the transform, a call on the way, the value's origin."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One diagnostic, as every report prints it.

    `message` is the headline: one line of at most 80 characters that says what is wrong with the
    user's own names. `notes` say how it was proved and what happens at run time, `hint` in one
    sentence what to write instead; `fix` has the edits that do it, where they are known.
    """

    location: Location
    code: str
    name: str
    message: str
    hint: str
    severity: Severity
    weak: tuple[Related, ...] = ()
    """What the proof lacks: the links that are not certain, and where they are."""
    related: tuple[Related, ...] = ()
    notes: tuple[str, ...] = ()
    fix: Fix | None = field(default=None, compare=False)
    cause: Location | None = field(default=None, compare=False)
    """Where the value comes from that is used wrongly, if that is known: findings of one code and
    one cause are one mistake."""

    @property
    def confidence(self) -> Confidence:
        """Proved where the chain has no weak link."""
        return Confidence.LIKELY if self.weak else Confidence.PROVED
