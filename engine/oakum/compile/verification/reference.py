"""The reference: what the variables of a program are, given those that are known.

A step is judged by the values that compiled code has put into memory before, so the only errors are
its own. Where it differs from the evaluation, and an equation of it may (`tolerances`), the
equations are evaluated again with noise as large as that. What lies within the noise of the result,
or is one of the samples where results jump, is right: a badly conditioned step has a wide range, a
well conditioned one a narrow one, without a rule for each operation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oakum.compile.verification import tolerances
from oakum.dtypes import DType, Kind
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Literal, Var
from oakum.values import host

_SAMPLES: Final = 64
"""At a jump (`floor`, `argmax`, a comparison) about half the samples fall on each side: that none
of so many falls on the other one does not happen.
"""

_LOOKED_AT: Final = (4, 12, 28, _SAMPLES)
"""After so many samples it is asked whether they explain the difference."""

_WIDER: Final = 3.0
"""Samples show the greatest error only up to chance: so much wider is the range that is right."""


class Reference:
    """The values of the variables of a program in one run."""

    def __init__(self, closed: ClosedJaxpr, inputs: Sequence[Any]) -> None:
        self.known: dict[Var, Any] = {
            var: const.raw for var, const in zip(closed.jaxpr.constvars, closed.consts, strict=True)
        }
        self.known.update(zip(closed.jaxpr.invars, inputs, strict=True))
        self._derived: dict[Var, Any] = {}

    def value(self, atom: Atom, made: Mapping[Var, Equation]) -> Any:
        """Returns the value of a variable, from those that are known; `made` has the equation of
        each.
        """
        if isinstance(atom, Literal):
            return host.np.asarray(atom.raw)
        if atom in self.known:
            return self.known[atom]
        values = self._derived
        for eqn in equations_of(atom, made, {**self.known, **values}):
            results = tolerances.evaluate(eqn, [self._read(x, values) for x in eqn.inputs])
            values.update(zip(eqn.outputs, results, strict=True))
        return values[atom]

    def difference(self, var: Var, actual: host.Array, eqns: Sequence[Equation]) -> str | None:
        """How what the code gave differs from what the equations of a step may give; None where it
        does not.
        """
        expected = self._evaluated(var, eqns, frozenset(), None)
        if actual.tobytes() == expected.tobytes():
            return None
        dtype = var.aval.dtype
        assert dtype is not None
        right = alike(actual, expected, dtype)
        if not right.all() and (free := tolerances.free_among(eqns)):
            right |= self._explained(var, actual, expected, eqns, free)
        return None if right.all() else describe_difference(actual, expected, right)

    def _explained(
        self,
        var: Var,
        actual: host.Array,
        expected: host.Array,
        eqns: Sequence[Equation],
        free: frozenset[Equation],
    ) -> Any:
        """Which elements are among those that the equations may give."""
        dtype = var.aval.dtype
        assert dtype is not None
        rng = host.np.random.default_rng(0)
        range_of = _Range(expected, dtype)
        right = alike(actual, expected, dtype)
        if dtype.kind is Kind.COMPLEX:
            # All infinities are one, as in C, and which part is NaN nobody agrees on.
            right |= ~host.np.isfinite(actual) & ~host.np.isfinite(expected)
        for number in range(1, _SAMPLES + 1):
            found = self._evaluated(var, eqns, free, rng)
            right |= alike(actual, found, dtype)
            range_of.add(found)
            if number in _LOOKED_AT:
                right |= range_of.holds(actual)
                if right.all():
                    break
        return right

    def _evaluated(
        self, var: Var, eqns: Sequence[Equation], free: frozenset[Equation], rng: host.Rng | None
    ) -> Any:
        """Returns a variable as equations give it, with noise in those that are free."""
        values: dict[Var, Any] = {}
        for eqn in eqns:
            operands = [self._read(x, values) for x in eqn.inputs]
            if rng is not None and eqn in free:
                results = tolerances.sample(eqn, operands, rng)
            else:
                results = tolerances.evaluate(eqn, operands)
            values.update(zip(eqn.outputs, results, strict=True))
        return values[var] if var in values else self.known[var]

    def _read(self, atom: Atom, values: Mapping[Var, Any]) -> Any:
        if isinstance(atom, Literal):
            return atom.raw
        found = values.get(atom)
        return self.known[atom] if found is None else found


def equations_of(
    var: Var, made: Mapping[Var, Equation], known: Mapping[Var, Any]
) -> list[Equation]:
    """Returns the equations that a variable is computed by from what is known, in their order."""
    found: dict[Equation, None] = {}
    waiting = [var]
    while waiting:
        current = waiting[-1]
        eqn = made.get(current)
        if current in known or eqn is None or eqn in found:
            waiting.pop()
            continue
        missing = [
            x
            for x in eqn.inputs
            if isinstance(x, Var) and x not in known and x in made and made[x] not in found
        ]
        if missing:
            waiting += missing
        else:
            found[eqn] = None
            waiting.pop()
    return list(found)


class _Range:
    """The least and the greatest of samples, element by element."""

    def __init__(self, expected: host.Array, dtype: DType) -> None:
        self._kind = dtype.kind
        self._expected = expected
        self._least = self._greatest = expected
        self._furthest: Any = 0.0

    def add(self, found: host.Array) -> None:
        """Adds a sample."""
        np = host.np
        if self._kind is Kind.KEY:
            return
        with np.errstate(all="ignore"):
            if self._kind is Kind.COMPLEX:
                self._furthest = np.fmax(self._furthest, np.abs(found - self._expected))
                return
            self._least = np.where(found < self._least, found, self._least)
            self._greatest = np.where(found > self._greatest, found, self._greatest)

    def holds(self, actual: host.Array) -> Any:
        """Which elements lie in the range, made wider for floats."""
        np = host.np
        with np.errstate(all="ignore"):
            match self._kind:
                case Kind.KEY:
                    return np.zeros(actual.shape, bool)
                case Kind.COMPLEX:
                    return np.abs(actual - self._expected) <= _WIDER * self._furthest
                case Kind.FLOAT:
                    x, middle, least, greatest = (
                        each.astype(np.float64)
                        for each in (actual, self._expected, self._least, self._greatest)
                    )
                    # A result may be off to the side that no sample is on.
                    away = np.fmax(_finite(middle - least), _finite(greatest - middle))
                    low, high = middle - _WIDER * away, middle + _WIDER * away
                    # Where the middle is infinite the finite samples are the other border.
                    low, high = np.fmin(low, least), np.fmax(high, greatest)
                    return (x >= low) & (x <= high)
                case _:
                    return (actual >= self._least) & (actual <= self._greatest)


def _finite(x: host.Array) -> Any:
    return host.np.where(host.np.isfinite(x), x, 0.0)


def alike(actual: host.Array, expected: host.Array, dtype: DType) -> Any:
    """Which elements are the same, bit by bit but for NaN."""
    np = host.np
    if dtype.kind not in (Kind.FLOAT, Kind.COMPLEX):
        # As bytes: a truth value must be 0 or 1.
        sizes = (*actual.shape, actual.dtype.itemsize)
        one, two = (np.frombuffer(x.tobytes(), np.uint8).reshape(sizes) for x in (actual, expected))
        return np.asarray((one == two).all(-1))
    if dtype.kind is Kind.COMPLEX:
        part = np.dtype(f"f{actual.dtype.itemsize // 2}")
        one, two = (
            np.ascontiguousarray(x).reshape(-1).view(part).reshape(*x.shape, 2)
            for x in (actual, expected)
        )
        return np.asarray(_same(one, two).all(-1))
    return np.asarray(_same(actual, expected))


def _same(one: host.Array, two: host.Array) -> Any:
    np = host.np
    with np.errstate(all="ignore"):
        same = (one == two) & (np.signbit(one) == np.signbit(two))
        return same | ((one != one) & (two != two))


def describe_difference(actual: host.Array, expected: host.Array, right: host.Array) -> str:
    """Returns the wrong elements of an array in a line."""
    np = host.np
    wrong = np.argwhere(~np.asarray(right))
    place = tuple(int(x) for x in wrong[0])
    at = f" first at {list(place)}:" if place else ""
    return (
        f"{len(wrong)} of {actual.size} elements differ,{at} {actual[place]!r}, "
        f"evaluated {expected[place]!r}"
    )
