"""What kernels are put together from: pieces for different ranges, iterations, polynomials."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final, TypeVarTuple

from oakum.values import host

Ts = TypeVarTuple("Ts")

STEPS: Final = 20_000
"""The most steps of a series or a continued fraction; they need about the square root of large
arguments.
"""

TINY: Final = 1e-17
"""Terms below this part of the sum change no bit of a double."""


class Staged(ABC):
    """Functions of NumPy on tracers, on which a kernel becomes a program. What depends on elements
    in Python code, on arrays of the host, is a method here.
    """

    @abstractmethod
    def __getattr__(self, name: str) -> Any: ...

    @abstractmethod
    def piecewise(self, arguments: Sequence[host.Array], pieces: Sequence[Piece]) -> Any: ...

    @abstractmethod
    def iterate(self, state: Sequence[host.Array], step: Iteration) -> list[Any]: ...

    @abstractmethod
    def lgamma(self, x: host.Array) -> Any: ...

    @abstractmethod
    def digamma(self, x: host.Array) -> Any: ...

    @abstractmethod
    def erfc(self, x: host.Array) -> Any: ...


Piece = tuple[Any, Callable[..., Any]]
"""A mask, and the function of the elements where it is true."""

Functions = ModuleType | Staged
"""NumPy on the host, or its functions on tracers."""

Iteration = Callable[[Any, list[Any]], tuple[list[Any], Any]]
"""From how many steps there were, this one included, and a state: the next state, and for which
elements it is final. The state of such an element must not change in further steps, but for the
last bits.
"""


def piecewise(
    xp: Functions, arguments: tuple[*Ts], pieces: Sequence[tuple[Any, Callable[[*Ts], Any]]]
) -> Any:
    """Returns the values of the first function whose mask is true, each computed only where it is
    needed; NaN where no mask is.
    """
    given: tuple[Any, ...] = arguments
    if isinstance(xp, Staged):
        return xp.piecewise(given, pieces)
    result = xp.full(given[0].shape, xp.nan)
    left = xp.ones(given[0].shape, bool)
    for mask, function in pieces:
        here = mask & left
        left &= ~here
        if here.all():
            return function(*arguments)
        if here.any():
            call: Callable[..., Any] = function
            result[here] = call(*(each[here] for each in given))
    return result


def iterate(xp: Functions, state: list[Any], step: Iteration) -> list[Any]:
    """Steps the elements of a state until each says that it is done."""
    if isinstance(xp, Staged):
        return xp.iterate(state, step)
    size = state[0].shape[0]
    results = [xp.array(each) for each in state]
    active = xp.arange(size)
    for count in range(1, STEPS + 1):
        state, done = step(count, state)
        if done.any() or count == STEPS:
            for result, each in zip(results, state, strict=True):
                result[active] = each
            active = active[~done]
            state = [each[~done] for each in state]
        if not active.size:
            break
    return results


def polynomial(coefficients: Sequence[float], x: host.Array) -> Any:
    """Returns the polynomial with these coefficients, the highest first."""
    result: Any = coefficients[0]
    for each in coefficients[1:]:
        result = result * x + each
    return result
