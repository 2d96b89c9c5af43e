"""Values that are known before a program runs.

Numbers, small constants and what is computed of them are known. Results are computed by the
primitives' own `evaluate`; one that raises is left to the time when the program runs. Counting
(`iota`), repetition and what works element by element on them stay operations, since they are
cheaper where they are used than a table in memory is; their values are computed when another
operation needs them.

Invariants:
- A value has the same bits wherever it is used: what stays an operation and is computed beforehand
  too gives the same on both ways. So operations that the host and compiled code round differently
  (`exp`, `pow`, products of complex numbers) never stay: else halves of a program that cancel each
  other, as the derivatives of `softmax` do, would cancel to the accuracy of `exp` only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oakum import dtypes
from oakum.array import Array
from oakum.compile.simplify.rule_engine.patterns import CLASSES
from oakum.dtypes import Kind
from oakum.primitives.rules.arguments import shape_of
from oakum.tracing.ir import Atom, Equation, Literal, Var, subprograms
from oakum.tracing.trace import Primitive, Tracer
from oakum.values import host
from oakum.values.avals import ShapedArray

SMALL: Final = 4096
"""Results of up to this many elements are computed beforehand."""

_READ: Final = 1 << 16
"""As many elements may be read for it."""

_PLAIN: Final = frozenset(dtypes.NUMERIC)

_RANDOM: Final = ("random_", "rng_", "threefry")
_KEPT: Final = frozenset(("iota", "empty", "broadcast_in_dim"))
_LAZY: Final = (
    CLASSES["unary"]
    | CLASSES["binary"]
    | frozenset("select_n clamp reshape squeeze transpose rev slice".split())
    | _KEPT
)
"""What stays an operation when an operand does."""

_BY_PARTS: Final = frozenset(
    """add sub neg conj real imag complex eq ne is_finite convert_element_type copy
    stop_gradient""".split()
)
_EXACT: Final = _BY_PARTS | frozenset(
    """mul div rem square sqrt abs sign max min lt le gt ge nextafter floor ceil round
    reduce_precision""".split()
)
"""Arithmetic of floats that is rounded once or not at all, so that everybody's results are equal;
of complex numbers, what takes their parts one by one. What compiled code adds unrounded (FMA) is
not counted: it does so in one loop and not in another, too.
"""


def raw_of(value: object) -> Any:
    """Returns the data of a constant; None where it is none yet, or no array of the host."""
    if not isinstance(value, Array) or isinstance(value, Tracer):
        return None
    raw: Any = getattr(value, "raw", None)
    return raw if isinstance(raw, host.np.ndarray) else None


def number_in(raw: host.Array) -> Any:
    """Returns the number that all elements of an array are, as a scalar of the host; None if they
    differ.

    Of large arrays only those are found whose elements all lie at one place.
    """
    if raw.ndim == 0:
        return raw
    if raw.size == 0:
        return host.np.zeros((), raw.dtype)
    first = raw[(0,) * raw.ndim].reshape(())
    if not any(raw.strides):
        return first.copy()
    if raw.size > SMALL:
        return None
    same = raw.tobytes() == first.tobytes() * raw.size
    return first.copy() if same else None


class Values:
    """The variables whose values are known, and these values as far as they were needed."""

    def __init__(self, producers: Mapping[Var, Equation]) -> None:
        self._producers = producers
        self._raws: dict[Var, Any] = {}
        """None for the result of an operation that stays one, until its value is needed."""
        self._operations: set[Var] = set()

    def hold(self, var: Var, raw: host.Array) -> None:
        """Takes the value of a constant."""
        self._raws[var] = raw

    def note(self, equation: Equation) -> None:
        """Takes an equation of known operands that stays an operation."""
        if equation.primitive.name not in _LAZY:
            return
        (var,) = equation.outputs
        if _is_small((var.aval,)):
            self._raws[var] = None
            self._operations.add(var)

    def all_known(self, atoms: Sequence[Atom]) -> bool:
        """Returns whether the values of all operands are known."""
        raws = self._raws
        known = True
        for atom in atoms:
            if type(atom) is Var and atom not in raws:
                known = False
                break
        return known

    def stays(self, name: str, inputs: Sequence[Atom], avals: Sequence[ShapedArray]) -> bool:
        """Returns whether an operation on known operands is cheaper where it is used."""
        if name not in _LAZY or _size(avals[0]) <= 1:
            return False
        return not self._operations.isdisjoint(inputs)

    def results(
        self,
        primitive: Primitive,
        inputs: Sequence[Atom],
        params: Mapping[str, Any],
        avals: Sequence[ShapedArray],
    ) -> list[Any] | None:
        """Returns the values of results of known operands, as arrays of the host; None where a
        result is not to be computed beforehand.
        """
        if not inputs or not _is_small(avals) or not _may_fold(primitive, params):
            return None
        if sum(_size(x.aval) for x in inputs) > _READ:
            return None
        raws = self._evaluated(primitive, inputs, params)
        return raws if raws is not None and all(map(_fits, raws, avals)) else None

    def _evaluated(
        self, primitive: Primitive, inputs: Sequence[Atom], params: Mapping[str, Any]
    ) -> list[Any] | None:
        try:
            for atom in inputs:
                if isinstance(atom, Var):
                    self._compute(atom)
            return self._evaluate(primitive, inputs, params)
        except Exception:
            # What evaluation raises, it raises when the program runs, with the user's frames.
            return None

    def _evaluate(
        self, primitive: Primitive, inputs: Sequence[Atom], params: Mapping[str, Any]
    ) -> list[Any]:
        np = host.np
        operands = [x.raw if isinstance(x, Literal) else self._raws[x] for x in inputs]
        with np.errstate(all="ignore"):
            found = primitive.evaluate(np, *operands, **params)
        results = found if primitive.multiple_results else [found]
        return [np.array(each, order="C") for each in results]

    def _compute(self, var: Var) -> None:
        """Computes the value of a variable, and of those that it is made of."""
        waiting = [var]
        while waiting:
            current = waiting[-1]
            if self._raws[current] is not None:
                waiting.pop()
                continue
            equation = self._producers[current]
            missing = [x for x in equation.inputs if isinstance(x, Var) and self._raws[x] is None]
            if missing:
                waiting += missing
            else:
                found = self._evaluate(equation.primitive, equation.inputs, equation.params)
                self._raws[current] = found[0]


def _may_fold(primitive: Primitive, params: Mapping[str, Any]) -> bool:
    """Returns whether results may be computed beforehand: not random ones, nor those of
    programs.
    """
    if primitive.name in _KEPT or primitive.name.startswith(_RANDOM):
        return False
    return next(subprograms(Equation(primitive, (), (), params)), None) is None


def is_approximate(name: str, inputs: Sequence[Atom], avals: Sequence[ShapedArray]) -> bool:
    """Returns whether compiled code may round an operation on elements otherwise than the host."""
    if name not in CLASSES["unary"] and name not in CLASSES["binary"]:
        return False
    kinds = {aval.dtype.kind for aval in (*avals, *(x.aval for x in inputs)) if aval.dtype}
    if Kind.COMPLEX in kinds:
        return name not in _BY_PARTS
    return Kind.FLOAT in kinds and name not in _EXACT


def _size(aval: ShapedArray) -> int:
    return math.prod(shape_of(aval))


def _is_small(avals: Sequence[ShapedArray]) -> bool:
    return all(aval.dtype in _PLAIN and _size(aval) <= SMALL for aval in avals)


def _fits(raw: host.Array, aval: ShapedArray) -> bool:
    return (
        aval.dtype is not None and raw.shape == aval.shape and raw.dtype == host.dtype(aval.dtype)
    )
