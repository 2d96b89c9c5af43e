"""A call of a function that has derivative rules of its own, as traces handle it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

from oakum.tracing.trace import AxisData, Trace
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class CustomCall:
    """The function of flat operands, and its rules.

    A trace that neither differentiates, maps nor records calls the function. `symbolic_zeros` says
    that the rules ask for zeros that are known to be so.
    """

    function: Callable[..., Sequence[Any]]
    name: str
    symbolic_zeros: bool

    def differentiate(
        self, primals: Sequence[Any], tangents: Sequence[Any]
    ) -> tuple[Sequence[Any], Sequence[Any]]:
        """Results and their tangents, by the rules; tangents in and out may be `Zero`."""
        raise NotImplementedError

    def batched(self, axis: AxisData, dims: Sequence[int | None]) -> Self:
        """Returns the call of the function mapped over axes of its operands; results are mapped
        over 0.
        """
        raise NotImplementedError

    def enclosed(self, axis: AxisData) -> Self:
        """Returns the call of the function mapped over an axis that none of its operands has, which
        the function and its rules may close over; they raise `MappedClosure` where a result has it.
        """
        raise NotImplementedError

    def record(self, trace: Trace, operands: Sequence[Any]) -> Sequence[Any]:
        """Has a trace that records programs record the call together with its rules."""
        raise NotImplementedError
