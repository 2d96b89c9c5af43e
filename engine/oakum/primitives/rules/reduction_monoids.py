"""Recognises reductions by sum, product, extremum or bits from their function and identity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import lax
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.primitives.rules.numpy_evaluation import greatest, least
from oakum.tracing.trace import Tracer, aval_of
from oakum.values import host

_BITS = (Kind.BOOL, Kind.INT, Kind.UINT)


def monoid(computation: object, init_values: Sequence[Any]) -> str | None:
    """Returns the name of the reduction that a computation with a known initial value is.

    >>> monoid(lax.add, [0.0]), monoid(lax.add, [1.0]), monoid(lax.max, [-float("inf")])
    ('sum', None, 'max')
    """
    if len(init_values) != 1:
        return None
    init = init_values[0]
    aval = aval_of(init)
    if isinstance(init, Tracer) or aval.shape != () or aval.dtype is None:
        return None
    if aval.dtype.kind is Kind.KEY:
        return None
    for function, name, identity, bits in _table():
        if computation is function and (not bits or aval.dtype.kind in _BITS):
            value = init.raw if isinstance(init, Array) else init  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
            return name if bool(host.np.equal(value, identity(aval.dtype))) else None
    return None


def _table() -> Sequence[tuple[Any, str, Callable[[DType], Any], bool]]:
    return (
        (lax.add, "sum", lambda dtype: 0, False),
        (lax.mul, "prod", lambda dtype: 1, False),
        (lax.max, "max", least, False),
        (lax.min, "min", greatest, False),
        (lax.bitwise_and, "and", lambda dtype: host.np.array(-1).astype(host.dtype(dtype)), True),
        (lax.bitwise_or, "or", lambda dtype: 0, True),
        (lax.bitwise_xor, "xor", lambda dtype: 0, True),
    )
