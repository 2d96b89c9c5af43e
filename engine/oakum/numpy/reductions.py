"""Reductions of the elements along axes."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any, Final

from oakum import dtypes, lax
from oakum.abstract import reduction
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError, ShapeError
from oakum.numpy import arguments, coercion, log_sums, selection
from oakum.primitives.rules import numpy_evaluation
from oakum.runtime.arrays import wrap
from oakum.tracing.dtype_requests import canonical, requested
from oakum.typing import ArrayLike, Axis, DTypeLike
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.declarations import named_as, public, renamed
from oakum.values.facts import EdgeRole
from oakum.values.records import dataclass

Pair = tuple[Callable[..., Any], Callable[..., Any]]
"""The operations of `lax` that reduce axes and that join two elements."""


def _or() -> Pair:
    return lax.reduce_or, lax.bitwise_or


def _numeric(x: Array) -> Any:
    return coercion.convert(x, dtypes.int32) if x.aval.dtype is dtypes.bool_ else x


def _number(value: float) -> Callable[[DType], Any]:
    return lambda dtype: host.np.array(value, host.dtype(dtype))


@dataclass(frozen=True, slots=True)
class Reduction:
    """An operation that makes one element of many.

    `operations` gives what reduces axes and what joins two elements, `identity` the element that
    changes nothing; the operations on booleans may differ.
    """

    operations: Callable[[], Pair]
    identity: Callable[[DType], Any]
    prepare: Callable[[Any], Any] = lambda x: x
    has_identity: bool = True
    boolean: Callable[[], Pair] | None = None

    def of_dtype(self, dtype: DType) -> Pair:
        """Returns the reduction over axes and the operation on two elements, of a dtype."""
        if dtype is dtypes.bool_ and self.boolean is not None:
            return self.boolean()
        return self.operations()


SUM: Final = Reduction(lambda: (lax.reduce_sum, lax.add), _number(0), _numeric, boolean=_or)


def reduce(
    function: str,
    kind: Reduction,
    a: object,
    axis: object,
    *,
    dtype: object = None,
    out: object = None,
    keepdims: bool = False,
    initial: Any = None,
    where: object = None,
    widen: bool = False,
    promote_integers: bool = False,
) -> Any:
    """Reduces axes of an array; `widen` computes 16-bit floats in 32 bits."""
    arguments.refuse_out(f"jnp.{function}", out)
    (x,) = arguments.arrays(function, a)
    mask = mask_of(function, where)
    x = kind.prepare(x)
    axes = arguments.axes(arguments.static_axes(function, axis), arguments.rank_of(x))
    if initial is None and not kind.has_identity:
        _check_identity(function, x, axes, mask)
    result = arguments.dtype_of(x)
    if dtype is not None:
        result = requested(dtype, function)
    elif promote_integers:
        result = widened_integer(result)
    x = arguments.convert(x, wide_float(result) if widen else result)
    reduced = _reduced(kind, x, axes, initial, mask)
    if keepdims:
        reduced = lax.expand_dims(reduced, axes)
    return arguments.convert(reduced, result)


def _reduced(kind: Reduction, x: Array, axes: tuple[int, ...], initial: Any, mask: object) -> Any:
    dtype = arguments.dtype_of(x)
    over, combine = kind.of_dtype(dtype)
    if mask is not None:
        identity = wrap(kind.identity(dtype), ShapedArray((), dtype))
        x = selection.select_where(mask, x, identity)
    result = over(x, axes)
    if initial is None:
        return result
    first = coercion.convert(initial, dtype)
    if first.shape != ():
        raise ShapeError(
            f"initial value must be a scalar. Got array of shape {first.shape}",
            hint="Combine an array of initial values with the result.",
        )
    return combine(*arguments.broadcast(first, result))


def wide_float(dtype: DType) -> DType:
    """Returns the dtype in which sums of floats of 16 bits are kept."""
    return dtypes.float32 if dtype in (dtypes.float16, dtypes.bfloat16) else dtype


def widened_integer(dtype: DType) -> DType:
    """Returns the dtype in which sums of integers are kept: the default one where it is wider."""
    match dtype.kind:
        case Kind.BOOL:
            return canonical(dtypes.int64)
        case Kind.INT:
            wide = canonical(dtypes.int64)
        case Kind.UINT:
            wide = canonical(dtypes.uint64)
        case _:
            return dtype
    return wide if dtype.bits < wide.bits else dtype


def _check_identity(function: str, x: Array, axes: tuple[int, ...], mask: object) -> None:
    if mask is not None:
        raise ValueError(
            f"reduction operation {function} does not have an identity, so to use a where mask one "
            "has to specify 'initial'"
        )
    if builtins.any(x.shape[axis] == 0 for axis in axes):
        raise ValueError(f"zero-size array to reduction operation {function} which has no identity")


def mask_of(function: str, where: Any) -> Any:
    """Returns the mask of a `where` argument, which holds booleans."""
    if where is None:
        return None
    (mask,) = arguments.arrays(function, where)
    if mask.aval.dtype is not dtypes.bool_:
        raise DTypeError(
            f"jnp.{function}: where must be None or a boolean array; got "
            f"where.dtype={mask.dtype!r}.",
            hint="Compare the mask with zero.",
        )
    return mask


def _and() -> Pair:
    return lax.reduce_and, lax.bitwise_and


_PRODUCT: Final = Reduction(lambda: (lax.reduce_prod, lax.mul), _number(1), _numeric, boolean=_and)


def _totals(edge: EdgeRole = ""):
    """Declares sums and products by what they are; their signature is inferred."""

    def declare(kind: Callable[[], Reduction]):
        def total(
            a: ArrayLike,
            axis: Axis = None,
            dtype: DTypeLike | None = None,
            out: None = None,
            keepdims: bool = False,
            initial: ArrayLike | None = None,
            where: ArrayLike | None = None,
            promote_integers: bool = True,
        ) -> Array:
            return reduce(
                kind.__name__,
                kind(),
                a,
                axis,
                dtype=dtype,
                out=out,
                keepdims=keepdims,
                initial=initial,
                where=where,
                widen=dtype is None,
                promote_integers=promote_integers,
            )

        static = ("axis", "keepdims", "promote_integers")
        declared = public(f"numpy.{kind.__name__}", reduction.sums, static=static, edge=edge)
        return declared(named_as(kind, total))

    return declare


@_totals("linear")
def sum() -> Reduction:
    """Sums the elements along axes."""
    return SUM


@_totals()
def prod() -> Reduction:
    """Multiplies the elements along axes."""
    return _PRODUCT


def extrema(compute: Callable[..., Array]):
    """Declares extrema by what they are and how they are computed; their signature is inferred."""

    def declare(kind: Callable[[], Reduction]):
        def extremum(
            a: ArrayLike,
            axis: Axis = None,
            out: None = None,
            keepdims: bool = False,
            initial: ArrayLike | None = None,
            where: ArrayLike | None = None,
        ) -> Array:
            options = {"out": out, "keepdims": keepdims, "initial": initial, "where": where}
            return compute(kind.__name__, kind(), a, axis, **options)

        static = ("axis", "keepdims")
        declared = public(f"numpy.{kind.__name__}", reduction.extrema, static=static)
        return declared(named_as(kind, extremum))

    return declare


MAXIMUM: Final = Reduction(
    lambda: (lax.reduce_max, lax.max), numpy_evaluation.least, has_identity=False
)


MINIMUM: Final = Reduction(
    lambda: (lax.reduce_min, lax.min), numpy_evaluation.greatest, has_identity=False
)


@extrema(reduce)
def max() -> Reduction:
    """Returns the greatest elements along axes."""
    return MAXIMUM


@extrema(reduce)
def min() -> Reduction:
    """Returns the least elements along axes."""
    return MINIMUM


amax = renamed("numpy.amax", max)
amin = renamed("numpy.amin", min)


@public("numpy.ptp", reduction.extrema, static=("axis", "keepdims"))
def ptp(a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False) -> Array:
    """Returns the difference of the greatest and the least element along axes."""
    (x,) = arguments.arrays("ptp", a)
    arguments.refuse_out("jnp.ptp", out)
    return lax.sub(max(x, axis, keepdims=keepdims), min(x, axis, keepdims=keepdims))


def _tests(kind: Callable[[], Reduction]):
    """Declares tests of elements by what they are; their signature is inferred."""

    def test(
        a: ArrayLike,
        axis: Axis = None,
        out: None = None,
        keepdims: bool = False,
        *,
        where: ArrayLike | None = None,
    ) -> Array:
        return reduce(kind.__name__, kind(), a, axis, out=out, keepdims=keepdims, where=where)

    declared = public(f"numpy.{kind.__name__}", reduction.tests, static=("axis", "keepdims"))
    return declared(named_as(kind, test))


def _truth(x: Array) -> Any:
    return coercion.truth(x)  # looked up when it is called: the linter reads what is declared


ALL: Final = Reduction(_and, _number(1), _truth)


ANY: Final = Reduction(_or, _number(0), _truth)


@_tests
def all() -> Reduction:
    """Returns whether all elements along axes are true."""
    return ALL


@_tests
def any() -> Reduction:
    """Returns whether some element along axes is true."""
    return ANY


def position(function: str, a: object, axis: object, out: object, keepdims: object) -> Any:
    """Returns the position of the greatest or the least element along an axis, or of all
    elements.
    """
    (x,) = arguments.arrays(function, a)
    arguments.refuse_out(f"jnp.{function}", out)
    find = lax.argmax if function.endswith("argmax") else lax.argmin
    rank = x.ndim
    at = None if axis is None else arguments.static_integer(axis, f"the axis of jnp.{function}()")
    if at is None:
        x = lax.reshape(x, (x.size,))
    along = arguments.axis(0 if at is None else at, x.ndim)
    if x.shape[along] == 0:
        name = function.removeprefix("nan")
        raise ValueError(f"attempt to get {name} of an empty sequence")
    result = find(x, along, host.dtype(canonical(dtypes.int64)))
    if not keepdims:
        return result
    return lax.expand_dims(result, tuple(range(rank)) if at is None else (along,))


def positions(compute: Callable[[str, Any, object, object, object], Array]):
    """Declares positions of extrema by how they are computed; their signature is inferred."""

    def declare(stated: Callable[[], None]):
        def position(
            a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None
        ) -> Array:
            return compute(stated.__name__, a, axis, out, keepdims)

        static = ("axis", "keepdims")
        declared = public(f"numpy.{stated.__name__}", reduction.positions, static=static)
        return declared(named_as(stated, position))

    return declare


@positions(position)
def argmax() -> None:
    """Returns the position of the greatest element along an axis."""


@positions(position)
def argmin() -> None:
    """Returns the position of the least element along an axis."""


@public("numpy.count_nonzero", reduction.counts, static=("axis", "keepdims"))
def count_nonzero(a: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Array:
    """Counts the elements along axes that are not zero."""
    (x,) = arguments.arrays("count_nonzero", a)
    return sum(coercion.truth(x), axis, int, keepdims=keepdims)


def _all_bits(dtype: DType) -> Any:
    return host.np.array(-1).astype(host.dtype(dtype))


def _integer(x: Array) -> Any:
    if not arguments.is_kind(x, Kind.BOOL, Kind.INT, Kind.UINT):
        raise DTypeError(
            f"integer argument required; got dtype={x.dtype}", hint="Convert it with astype(int)."
        )
    return x


def _xor() -> Pair:
    return lax.reduce_xor, lax.bitwise_xor


BITS_AND: Final = Reduction(_and, _all_bits, _integer)


BITS_OR: Final = Reduction(_or, _number(0), _integer)


BITS_XOR: Final = Reduction(_xor, _number(0), _integer)


TRUTH_XOR: Final = Reduction(_xor, _number(0), _truth)


def log_sum_exp(
    function: str, a: Any, axis: object, *, keepdims: bool, initial: Any, where: Array
) -> Any:
    """Returns the logarithm of sums of exponentials, without overflow."""
    mask = mask_of(function, where)
    (x,) = coercion.promote_inexact(function, a)
    axes = arguments.axes(arguments.static_axes(function, axis), arguments.rank_of(x))
    options: dict[str, Any] = {"keepdims": True, "where": mask}
    parts = lax.real(x) if arguments.is_complex(x) else x
    top = reduce("max", MAXIMUM, parts, axes, initial=-math.inf, **options)
    top = lax.stop_gradient(lax.select(lax.is_finite(top), top, lax.full_like(top, 0)))
    top = arguments.convert(top, arguments.dtype_of(x))
    shifted = lax.sub(arguments.strong(x), arguments.broadcast_to(top, x.shape))
    total = reduce("sum", SUM, lax.exp(shifted), axes, widen=True, **options)
    result = lax.add(lax.log(total), top)
    if not keepdims:
        result = lax.squeeze(result, axes)
    if initial is None:
        return result
    first = coercion.convert(initial, arguments.dtype_of(result))
    return log_sums.log_add(first, result, base=log_sums.NATURAL)
