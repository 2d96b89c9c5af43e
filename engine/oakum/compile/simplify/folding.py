"""Values that are known before a program runs.

Numbers, small constants and what is computed of them are known. Results are computed by the
primitives' own `evaluate`; one that raises is left to the time when the program runs. Counting
(`iota`), repetition and what works element by element on them stay operations, since they are
cheaper where they are used than a table in memory is; their values are computed when another
operation needs them.

Invariants:
- A value has the same bits wherever it is used: what stays an operation and is computed beforehand
  too gives the same on both ways. So operations that are not exact (`exp`, `pow`, products of
  complex numbers), which the host and compiled code may round differently, never stay: else halves
  of a program that cancel each other, as the derivatives of `softmax` do, would cancel to the
  accuracy of `exp` only.

Equations and arrays that are the same have equal keys, under which values are found again:
- Numbers have one key when they have the same bits and the same dtype: `0.0` and `-0.0` differ.
- Weak types are no part of a key: they change no element.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oakum import dtypes
from oakum.array import Array
from oakum.compile.simplify.patterns import CLASSES, COMMUTATIVE
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
    return next(subprograms(params), None) is None


def _size(aval: ShapedArray) -> int:
    return math.prod(shape_of(aval))


def _is_small(avals: Sequence[ShapedArray]) -> bool:
    return all(aval.dtype in _PLAIN and _size(aval) <= SMALL for aval in avals)


def _fits(raw: host.Array, aval: ShapedArray) -> bool:
    return (
        aval.dtype is not None and raw.shape == aval.shape and raw.dtype == host.dtype(aval.dtype)
    )


_CONTENT: Final = 4096
"""Arrays of up to this many elements are the same when their elements are."""


def of_equation(primitive: Primitive, inputs: Sequence[Atom], params: Mapping[str, Any]) -> Any:
    """Returns the key of what a primitive gives; it has no hash where a parameter has none."""
    if primitive.name in COMMUTATIVE and len(inputs) == 2:
        inputs = _in_order(*inputs)
    atoms = tuple([x if type(x) is Var else of_literal(x) for x in inputs])  # pyright: ignore[reportArgumentType]
    return primitive, atoms, _of_params(params) if params else ()


def _in_order(left: Atom, right: Atom) -> tuple[Atom, Atom]:
    """Operands whose order does not matter, in an order of their own.

    The host may round the two parts of a complex product differently when they change places.
    """
    dtype = left.aval.dtype
    if dtype is not None and dtype.kind is Kind.COMPLEX:
        return left, right
    if isinstance(right, Literal):
        return left, right
    if isinstance(left, Literal) or left.number > right.number:
        return right, left
    return left, right


def of_literal(literal: Literal) -> Any:
    """Returns the key of a number."""
    return literal.aval.dtype, literal.raw.tobytes()


def head_of(literal: Literal) -> str:
    """What rules can ask of a number: `#0`, `#-0`, `#1`, `#-1`, `#~0` (all bits), else `#`.

    True is both one and all bits: `#1~0`.
    """
    key = of_literal(literal)
    found = _HEADS.get(key)
    if found is None:
        if len(_HEADS) >= _CONTENT:
            _HEADS.clear()
        found = _HEADS[key] = _head(literal)
    return found


_HEADS: Final[dict[Any, str]] = {}


def _head(literal: Literal) -> str:
    raw, dtype = literal.raw, literal.aval.dtype
    assert dtype is not None
    match dtype.kind:
        case Kind.BOOL:
            return "#1~0" if raw else "#0"
        case Kind.INT | Kind.UINT:
            value = int(raw)
            if value == (-1 if dtype.kind is Kind.INT else 2**dtype.bits - 1):
                return "#-1~0" if value == -1 else "#~0"
            return f"#{value}" if value in (0, 1) else "#"
        case Kind.FLOAT:
            value = float(raw)
            if value == 0:
                return "#0" if math.copysign(1, value) > 0 else "#-0"
            return f"#{value:.0f}" if value in (1, -1) else "#"
        case _:
            return "#"


def same_atom(left: Atom, right: Atom) -> bool:
    """Returns whether two atoms stand for one value."""
    if left is right:
        return True
    if isinstance(left, Literal) and isinstance(right, Literal):
        return of_literal(left) == of_literal(right)
    return False


def of_array(value: object, raw: host.Array) -> Any:
    """Returns the key of an array with these data on the host."""
    if raw.size > _CONTENT:
        return "identity", id(value)
    return "array", raw.dtype, raw.shape, raw.tobytes()


_INT: Final = frozenset((int,))


def _of_params(params: Mapping[str, Any]) -> Any:
    """Returns the parameters that are not None: such a one may as well be left out."""
    if not params:
        return ()
    if len(params) > 1:
        params = {name: params[name] for name in sorted(params)}
    return tuple([(name, _of_param(value)) for name, value in params.items() if value is not None])


def _of_tuple(value: tuple[Any, ...]) -> Any:
    if type(value) is tuple and {*map(type, value)} <= _INT:
        return value
    return type(value), tuple(map(_of_param, value))


def _of_param(value: Any) -> Any:
    if value is None or type(value) is int:
        return value
    if isinstance(value, tuple):
        return _of_tuple(value)  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, int):
        return type(value), value
    if isinstance(value, (float, complex)):
        return type(value), repr(value)
    if hasattr(value, "tobytes"):
        return type(value), str(value.dtype), value.shape, value.tobytes()
    return value
