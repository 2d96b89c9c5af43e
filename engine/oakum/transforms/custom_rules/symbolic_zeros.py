"""Objects passed to rules with `symbolic_zeros`: known zeros, and which arguments vary."""

from __future__ import annotations

from typing import Any

from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass


class SymbolicZero:
    """A tangent or cotangent that is known to be zero, as rules see it that ask for such zeros."""

    def __init__(self, aval: ShapedArray) -> None:
        self.aval = aval

    @property
    def shape(self) -> Any:
        """The shape of the zeros."""
        return self.aval.shape

    @property
    def dtype(self) -> Any:
        """The dtype of the zeros."""
        return host.dtype(self.aval.dtype)  # pyright: ignore[reportArgumentType]

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.aval.shape or ())

    def __repr__(self) -> str:
        return f"SymbolicZero({self.aval})"


@dataclass(frozen=True)
class CustomVJPPrimal:
    """An argument of a forward rule that asks for symbolic zeros, and whether it is differentiated.

    `value` is the argument.
    """

    value: Any
    perturbed: bool
