"""Selection between arrays by a condition, and limits."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import lax
from oakum.abstract import selection
from oakum.array import Array
from oakum.dtypes import Kind, bool_
from oakum.primitives.rules import batching, lowering, numpy_evaluation
from oakum.primitives.rules.arguments import constant, dtype_of
from oakum.primitives.rules.derivatives import Zero, instantiate, is_undefined, ternary
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def _select_abstract(which: ShapedArray, *cases: ShapedArray) -> ShapedArray:
    weak = all(case.weak_type for case in cases)
    return selection.selected(which, cases).update(weak_type=weak)


def _select(xp: ModuleType, which: host.Array, *cases: object) -> Any:
    if len(cases) == 1:
        return cases[0]
    if which.dtype.kind == "b":
        return xp.where(which, cases[1], cases[0])
    if numpy_evaluation.is_custom(which.dtype):
        which = which.astype(xp.int16)
    result = cases[-1]
    for index in range(len(cases) - 2, -1, -1):
        result = xp.where(which <= index, cases[index], result)
    return result


def _select_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    out = select_n_p.bind(*primals)
    given = [instantiate(tangent) for tangent in tangents[1:]]
    if all(isinstance(tangent, Zero) for tangent in tangents[1:]):
        return out, tangents[1]
    return out, select_n_p.bind(primals[0], *given)


def _select_transpose(ct: ArrayLike, which: ArrayLike, *cases: object) -> list[Any]:
    zeros = lax.full_like(ct, 0)
    dtype = dtype_of(which)
    results: list[Any] = [None]
    for index, case in enumerate(cases):
        if not is_undefined(case):
            results.append(None)
        elif dtype.kind is Kind.BOOL:
            pair = (ct, zeros) if index == 0 else (zeros, ct)
            results.append(select_n_p.bind(which, *pair))
        else:
            chosen = lax.eq(which, constant(index, dtype))
            results.append(select_n_p.bind(chosen, zeros, ct))
    return results


def _select_batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None]
) -> tuple[Any, int]:
    which, *cases = operands
    which_dim, *case_dims = dims
    scalar = aval_of(which).ndim == (0 if which_dim is None else 1)
    if scalar and which_dim is None:
        return _one_choice(axis, which, cases, case_dims)
    if which_dim is not None and not (scalar or any(aval_of(case).shape for case in cases)):
        # Numbers are spread over the condition, though it is refused without a mapped axis.
        return select_n_p.bind(which, *(_spread(case, which) for case in cases)), which_dim
    dim = next((each for each in dims[1:] if each is not None), 0)
    aligned = [_at(axis, case, each, dim) for case, each in zip(cases, case_dims, strict=True)]
    shape: Any = aval_of(aligned[0]).shape or ()
    if scalar and len(shape) > 1:
        which = lax.broadcast_in_dim(which, shape, (dim,))
    else:
        which = _at(axis, which, which_dim, dim)
    return select_n_p.bind(which, *aligned), dim


def _one_choice(
    axis: AxisData, which: object, cases: Sequence[Any], dims: Sequence[int | None]
) -> tuple[Any, int]:
    """Batches a choice: a scalar condition that is not mapped chooses between whole arrays."""
    dim = next(each for each in dims if each is not None)
    aligned = [_at(axis, case, each, dim) for case, each in zip(cases, dims, strict=True)]
    return select_n_p.bind(which, *aligned), dim


def _spread(case: ArrayLike, which: object) -> Any:
    """Returns a number, in the shape of the condition that chooses it."""
    shape: Any = aval_of(which).shape
    return lax.broadcast_in_dim(case, shape, ())


def _at(axis: AxisData, operand: Array, source: int | None, dim: int) -> Any:
    if source is None:
        return batching.broadcast(operand, axis.size, dim)
    return batching.move(operand, source, dim)


def _select_lower(
    builder: lowering.Builder,
    position: lowering.Position,
    result: ShapedArray,
    which: lowering.Element,
    *cases: lowering.Element,
) -> Any:
    if len(cases) == 1:
        return cases[0](position)
    chosen = which(position if which.shape else ())
    if which.dtype.kind is Kind.BOOL:
        return builder.operation(
            "select", dtype_of(result), chosen, cases[1](position), cases[0](position)
        )
    # A case whose number `which` cannot hold is never chosen.
    greatest = (1 << (which.dtype.bits - (which.dtype.kind is Kind.INT))) - 1
    last = min(len(cases) - 1, greatest)
    found = cases[last](position)
    for index in range(last - 1, -1, -1):
        number = builder.constant(index, which.dtype)
        before = builder.operation("le", bool_, chosen, number)
        found = builder.operation("select", dtype_of(result), before, cases[index](position), found)
    return found


select_n_p = Primitive(
    "select_n",
    abstract=_select_abstract,
    evaluate=_select,
    jvp=_select_jvp,
    transpose=_select_transpose,
    batch=_select_batch,
    lower=lowering.Computed(_select_lower, is_light=True),
    exact=True,
)


def _clamp_abstract(low: ShapedArray, x: ShapedArray, high: ShapedArray) -> ShapedArray:
    selection.check_limits(low, x, high, scalars=False)
    return selection.LIMITS.exact(low, x, high)


def _clamp(xp: ModuleType, low: host.Array, x: host.Array, high: host.Array) -> Any:
    return xp.minimum(xp.maximum(x, low), high)


def _where(condition: ArrayLike, g: ArrayLike) -> Any:
    return lax.select(condition, g, lax.full_like(g, 0))


def _clamp_lower(
    builder: lowering.Builder,
    position: lowering.Position,
    result: ShapedArray,
    low: lowering.Element,
    x: lowering.Element,
    high: lowering.Element,
) -> Any:
    raised = builder.operation("max", dtype_of(result), x(position), low(position))
    return builder.operation("min", dtype_of(result), raised, high(position))


clamp_p = Primitive(
    "clamp",
    abstract=_clamp_abstract,
    evaluate=numpy_evaluation.widened(_clamp),
    derivatives=ternary(
        lambda g, out, low, x, high: _where(lax.bitwise_and(lax.gt(low, x), lax.lt(low, high)), g),
        lambda g, out, low, x, high: _where(lax.bitwise_and(lax.gt(x, low), lax.lt(x, high)), g),
        lambda g, out, low, x, high: _where(lax.lt(high, x), g),
    ),
    batch=batching.elementwise,
    lower=lowering.Computed(_clamp_lower, is_light=True),
)
