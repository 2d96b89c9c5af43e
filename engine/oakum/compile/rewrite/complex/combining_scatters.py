"""Scatters that multiply complex numbers, or keep the greater or the lesser of two.

Both parts of a number are needed for either part of a result, so that they are loaded, combined
and stored together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final, Unpack

from oakum.array import Array
from oakum.compile.loops.elements import shape_of
from oakum.compile.rewrite import trailing_axis
from oakum.compile.rewrite.complex.complex_pair import Rows, numbers_of, rows_of
from oakum.dtypes import DType, bool_
from oakum.primitives.rules.lowering import Builder, Combine
from oakum.primitives.rules.scattering import scattered
from oakum.primitives.scattering import ScatterParams, scatter_max_p, scatter_min_p, scatter_mul_p
from oakum.tracing.trace import Primitive
from oakum.values import host
from oakum.values.avals import ShapedArray


def _product(
    builder: Builder, dtype: DType, there: Sequence[int], elements: Sequence[int]
) -> Sequence[int]:
    """Returns the parts of a product, with the bits of the host's."""

    def write(name: str, x: int, y: int) -> int:
        return builder.operation(name, dtype, x, y)

    (a, b), (c, d) = there, elements
    real = write("sub", write("mul", a, c), write("mul", b, d))
    return real, write("add", write("mul", a, d), write("mul", b, c))


def _first(compare: str) -> Combine:
    """Returns what keeps the first of two in the order by real, then by imaginary parts."""

    def combine(
        builder: Builder, dtype: DType, there: Sequence[int], elements: Sequence[int]
    ) -> Sequence[int]:
        (a, b), (c, d) = there, elements
        is_same = builder.operation("eq", bool_, a, c)
        by_real, by_imag = (builder.operation(compare, bool_, *x) for x in ((a, c), (b, d)))
        is_kept = builder.operation("select", bool_, is_same, by_imag, by_real)
        pairs = zip(there, elements, strict=True)
        return [builder.operation("select", dtype, is_kept, old, new) for old, new in pairs]

    return combine


def _of_rows(primitive: Primitive, combine: Combine) -> Callable[..., Rows]:
    """Returns the rule of a scatter, which takes rows of both parts."""

    def evaluate(
        xp: ModuleType,
        rows: host.Array,
        indices: host.Array,
        updates: host.Array,
        **params: Unpack[ScatterParams],
    ) -> Any:
        whole = (numbers_of(rows), indices, numbers_of(updates))
        numbers = params["dimension_numbers"]
        shorter = numbers._replace(update_window_dims=numbers.update_window_dims[:-1])
        params["dimension_numbers"] = shorter
        return rows_of(primitive.evaluate(xp, *whole, **params))

    def abstract(rows: ShapedArray, indices: object, updates: object, **_: object) -> ShapedArray:
        return rows.update()

    of_rows_p = Primitive(
        f"{primitive.name} of rows",
        abstract=abstract,
        evaluate=evaluate,
        lower=scattered(combine, width=2),
    )

    def scatter(
        operand: Rows, indices: Array, updates: Rows, **params: Unpack[ScatterParams]
    ) -> Rows:
        longer = trailing_axis.scattered(params, len(shape_of(updates.array.aval)) - 1)
        return Rows(of_rows_p.bind(operand.array, indices, updates.array, **longer))

    return scatter


RULES: Final[dict[str, Callable[..., Any]]] = {
    "scatter-mul": _of_rows(scatter_mul_p, _product),
    "scatter-max": _of_rows(scatter_max_p, _first("gt")),
    "scatter-min": _of_rows(scatter_min_p, _first("lt")),
}
"""The operations by name, as functions of rows of both parts."""
