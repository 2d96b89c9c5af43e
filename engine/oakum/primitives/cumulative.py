"""Running reductions: each element is combined with all before it along an axis, or after it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final

from oakum import lax
from oakum.abstract.elementwise import check
from oakum.dtypes import Kind
from oakum.primitives.arithmetic import max_p, min_p, mul_p
from oakum.primitives.rules import declared, lowering
from oakum.primitives.rules.arguments import dtype_of, shape_of
from oakum.primitives.rules.associative_reduce import dual, scan
from oakum.primitives.rules.host_sums import accurate_running_sum
from oakum.primitives.rules.numpy_evaluation import compute_dtype, in_compute_dtype
from oakum.tracing.trace import AxisData, Primitive, shared
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray

_INEXACT = (Kind.FLOAT, Kind.COMPLEX)
_NUMBERS = (Kind.UINT, Kind.INT, *_INEXACT)


def _batch(
    primitive: Primitive,
    data: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int],
    *,
    axis: int,
    reverse: bool,
) -> tuple[Any, int]:
    (operand,), (dim,) = operands, dims
    return primitive.bind(operand, axis=axis + (axis >= dim), reverse=reverse), dim


def _accumulate(name: str) -> Callable[..., Any]:
    def evaluate(np: ModuleType, operand: host.Array, *, axis: int, reverse: bool) -> Any:
        wide = in_compute_dtype(operand)
        if reverse:
            wide = np.flip(wide, axis)
        if name == "add":
            result = accurate_running_sum(np, wide, axis)
        else:
            result = getattr(np, name).accumulate(wide, axis=axis, dtype=wide.dtype)
        if reverse:
            result = np.flip(result, axis)
        return result.astype(operand.dtype, copy=False)

    return evaluate


def _transpose_sum(cotangent: ArrayLike, operand: object, *, axis: int, reverse: bool) -> list[Any]:
    return [cumsum_p.bind(cotangent, axis=axis, reverse=not reverse)]


def _by_scan(combine: Primitive, **combined: object) -> Any:
    """Returns the derivative of a running reduction by an operation, which combines pairs of a
    value and its tangent.
    """

    def rule(
        primitive: Primitive,
        primals: Sequence[Any],
        tangents: Sequence[Any],
        *,
        axis: int,
        reverse: bool,
    ) -> tuple[Any, Any]:
        out = primitive.bind(*primals, axis=axis, reverse=reverse)
        pair = [primals[0], tangents[0]]
        return out, scan(dual(combine, **combined), pair, axis, reverse)[1]

    return shared(rule)


def _jvp_logsumexp(
    primals: Sequence[Any], tangents: Sequence[Any], *, axis: int, reverse: bool
) -> tuple[Any, Any]:
    out = cumlogsumexp_p.bind(primals[0], axis=axis, reverse=reverse)
    return out, scan(_add_exponentials, [primals[0], tangents[0]], axis, reverse)[1]


_accumulate_real = _accumulate("logaddexp")


def _accumulate_logsumexp(np: ModuleType, operand: host.Array, *, axis: int, reverse: bool) -> Any:
    if operand.dtype.kind != "c":
        return _accumulate_real(np, operand, axis=axis, reverse=reverse)
    lanes = np.moveaxis(operand, axis, 0)
    result = lanes.copy()
    steps = range(len(lanes))
    order = [*reversed(steps)] if reverse else [*steps]
    for before, place in itertools.pairwise(order):
        result[place] = _log_sum(np, result[before], lanes[place])
    return np.moveaxis(result, 0, axis)


def _log_sum(np: ModuleType, x: host.Array, y: host.Array) -> Any:
    """Returns the logarithm of the sum of exponentials of complex numbers, with an angle of its
    own.
    """
    top, other = np.where(x.real >= y.real, x, y), np.where(x.real >= y.real, y, x)
    apart = other - top
    total = np.where(np.isnan(apart), x + y, top + np.log1p(np.exp(apart)))
    turn = 2 * np.pi
    total.imag = np.pi - np.mod(np.pi - total.imag, turn)
    return total


def _add_exponentials(left: list[Any], right: list[Any]) -> list[Any]:
    """Logarithms of sums of exponentials, with tangents weighted by what each part contributes."""
    (x, u), (y, v) = left, right
    top = lax.max(x, y)
    # Where both are the same infinity the difference is not a number; they are each other's weight.
    apart = lax.sub(x, y)
    same = lax.ne(apart, apart)
    value = lax.add(top, lax.log1p(lax.exp(lax.sub(lax.min(x, y), top))))
    value = lax.select(same, lax.add(x, y), value)
    changes = [lax.mul(t, lax.exp(_zero_where_nan(lax.sub(a, value)))) for a, t in ((x, u), (y, v))]
    return [value, lax.add(*changes)]


def _zero_where_nan(x: ArrayLike) -> Any:
    return lax.select(lax.ne(x, x), lax.full_like(x, 0), x)


_UNROLLED: Final = 16
"""Axes of up to this many elements are combined one element after another."""


def _is_short(operand: ShapedArray, *, axis: int, reverse: bool) -> bool:
    return lowering.are_native(operand) and shape_of(operand)[axis] <= _UNROLLED


def _lowered(monoid: str, combine: Callable[[Any, Any], Any]) -> lowering.Decomposed:
    """Short axes become operations on their elements."""

    def lower(operand: ArrayLike, *, axis: int, reverse: bool) -> Any:
        size, dtype = shape_of(operand)[axis], dtype_of(operand)
        if size < 2:
            return operand
        wide = lax.convert_element_type(operand, compute_dtype(dtype))
        rows = [lax.slice_in_dim(wide, k, k + 1, axis=axis) for k in range(size)]
        if reverse:
            rows.reverse()
        totals = list(itertools.accumulate(rows, combine))
        if reverse:
            totals.reverse()
        return lax.convert_element_type(lax.concatenate(totals, axis), dtype)

    return lowering.Decomposed(lower, _is_short, lowering.Accumulated(monoid))


cumsum_p = Primitive(
    "cumsum",
    abstract=declared.along_axis("cumsum"),
    evaluate=_accumulate("add"),
    linear=True,
    transpose=_transpose_sum,
    batch=shared(_batch),
    lower=_lowered("add", lambda x, y: lax.add(x, y)),
)
cumprod_p = Primitive(
    "cumprod",
    abstract=declared.along_axis("cumprod"),
    evaluate=_accumulate("multiply"),
    jvp=_by_scan(mul_p, out_dtype=None),
    batch=shared(_batch),
    lower=_lowered("mul", lambda x, y: lax.mul(x, y)),
)
cummax_p = Primitive(
    "cummax",
    abstract=declared.along_axis("cummax"),
    evaluate=_accumulate("maximum"),
    jvp=_by_scan(max_p),
    batch=shared(_batch),
    lower=_lowered("max", lambda x, y: lax.max(x, y)),
)
cummin_p = Primitive(
    "cummin",
    abstract=declared.along_axis("cummin"),
    evaluate=_accumulate("minimum"),
    jvp=_by_scan(min_p),
    batch=shared(_batch),
    lower=_lowered("min", lambda x, y: lax.min(x, y)),
)


def _logsumexp_abstract(operand: ShapedArray, *, axis: int, reverse: bool) -> ShapedArray:
    check("cumlogsumexp", operand, ("inexact",))  # JAX refuses others when it lowers them.
    return declared.rule_of("cumlogsumexp").exact(operand, axis)


cumlogsumexp_p = Primitive(
    "cumlogsumexp",
    abstract=_logsumexp_abstract,
    evaluate=_accumulate_logsumexp,
    jvp=_jvp_logsumexp,
    batch=shared(_batch),
)
