"""Assumptions: what a run takes as traced though nobody in the checked files traces it."""

from collections.abc import Sequence

from oakum_lint.text.names import name_pattern


class Assumptions:
    """What the settings say of code that others will trace.

    `annotated`: parameters and fields annotated as arrays are traced. `entry_points`: the dotted
    names of functions that are traced with all they are given; `*` stands for any part of one.
    """

    __slots__ = ("_patterns", "annotated")

    def __init__(self, annotated: bool = False, entry_points: Sequence[str] = ()) -> None:
        self.annotated = annotated
        self._patterns = [name_pattern(name) for name in entry_points]

    def __bool__(self) -> bool:
        """Whether anything is assumed."""
        return self.annotated or bool(self._patterns)

    def declares(self, name: str) -> bool:
        """Whether a function is declared as an entry point, by its dotted name.

        >>> Assumptions(entry_points=["solvers.*.step"]).declares("solvers.rk.step")
        True
        """
        return any(pattern.match(name) for pattern in self._patterns)


NOTHING_ASSUMED = Assumptions()
