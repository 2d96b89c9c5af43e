"""What makes two equations, or two arrays, the same: keys under which values are found again.

Invariants:
- Numbers have one key when they have the same bits and the same dtype: `0.0` and `-0.0` differ.
- Weak types are no part of a key: they change no element.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oakum.compile.simplify.rule_engine.patterns import COMMUTATIVE
from oakum.dtypes import Kind
from oakum.tracing.ir import Atom, Literal, Var
from oakum.tracing.trace import Primitive
from oakum.values import host

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
