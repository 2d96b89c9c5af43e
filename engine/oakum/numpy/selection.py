"""Choices between elements: by conditions, by size, and of intervals."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import elementwise, results, selection
from oakum.api.jit import jit
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.errors import DTypeError
from oakum.numpy import arguments, coercion, logic, reductions, ufuncs, vectorization
from oakum.numpy.indexing import positions
from oakum.tracing import concretization_errors
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.declarations import public
from oakum.values.facts import DynamicSize
from oakum.values.uses import Use


@ufuncs.universal(2, reduce=ufuncs.reduction("max", lambda: reductions.MAXIMUM))
@public("numpy.maximum", elementwise.same, edge="bounds")
def maximum(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Returns the greater of two elements; NaN wins."""
    return lax.max(*coercion.promote("maximum", x, y))


@ufuncs.universal(2, reduce=ufuncs.reduction("min", lambda: reductions.MINIMUM))
@public("numpy.minimum", elementwise.same, edge="bounds")
def minimum(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Returns the lesser of two elements; NaN wins."""
    return lax.min(*coercion.promote("minimum", x, y))


@public("numpy.fmax", elementwise.same)
def fmax(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Returns the greater of two elements; NaN loses."""
    x, y = coercion.promote("fmax", x1, x2)
    x, y = arguments.broadcast(x, y)
    first = lax.bitwise_or(logic.ordered(lax.gt, x, y), logic.is_nan(y))
    return lax.select(first, x, y)


@public("numpy.fmin", elementwise.same)
def fmin(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Returns the lesser of two elements; NaN loses."""
    x, y = coercion.promote("fmin", x1, x2)
    x, y = arguments.broadcast(x, y)
    first = lax.bitwise_or(logic.ordered(lax.lt, x, y), logic.is_nan(y))
    return lax.select(first, x, y)


@public("numpy.clip", selection.clip, edge="bounds")
def clip(
    arr: ArrayLike | None = None, /, min: ArrayLike | None = None, max: ArrayLike | None = None
) -> Array:
    """Limits elements to an interval."""
    if arr is None:
        raise ValueError("No input was provided to the clip function.")
    arguments.check_arrays("clip", arr)
    arguments.check_arrays_or_none("clip", min, max)
    given = [each for each in (arr, min, max) if each is not None]
    if any(arguments.is_complex(each) for each in given):
        raise DTypeError(
            "Clip received a complex value either through the input or the min/max keywords; "
            "complex numbers have no order",
            hint="Clip the real or the imaginary part.",
        )
    if min is not None:
        arr = maximum(min, arr)
    if max is not None:
        arr = minimum(max, arr)
    return coercion.staged(arr)


@public("numpy.nan_to_num", elementwise.keep.over("x"), edge="cleans")
def nan_to_num(
    x: ArrayLike,
    copy: bool = True,
    nan: ArrayLike = 0.0,
    posinf: ArrayLike | None = None,
    neginf: ArrayLike | None = None,
) -> Array:
    """Replaces NaN and infinities by finite numbers."""
    return _nan_to_num(*arguments.arrays("nan_to_num", x), nan=nan, posinf=posinf, neginf=neginf)


def _nan_to_num(x: Array, *, nan: Any, posinf: object, neginf: object) -> Any:
    """Returns numbers with others in the place of NaN and infinities."""
    if not arguments.is_inexact(x):
        return coercion.staged(x)
    if arguments.is_complex(x):
        parts = (
            _nan_to_num(part, nan=nan, posinf=posinf, neginf=neginf)
            for part in (lax.real(x), lax.imag(x))
        )
        return lax.complex(*parts)
    dtype = arguments.dtype_of(x)
    info = host.ml_dtypes.finfo(host.dtype(dtype))
    above = info.max if posinf is None else posinf
    below = info.min if neginf is None else neginf
    result = select_where(logic.is_nan(x), coercion.convert(nan, dtype), x)
    infinity = coercion.constant(math.inf, dtype)
    result = select_where(lax.eq(result, infinity), coercion.convert(above, dtype), result)
    return select_where(lax.eq(result, lax.neg(infinity)), coercion.convert(below, dtype), result)


def select_where(condition: Any, x: Any, y: Any) -> Any:
    """Returns elements of one array or another, as a condition tells."""
    arguments.check_arrays("where", condition, x, y)
    x, y = coercion.promote_dtypes_of("where", x, y)
    condition = coercion.truth(arguments.array(condition))
    if condition.ndim == 0:
        x, y = arguments.broadcast(x, y)
        return lax.select(condition, x, y)
    condition, x, y = arguments.broadcast(condition, x, y)
    return lax.select(condition, x, y)


@public("numpy.heaviside", elementwise.loose_inexact, zero_derivative=True)
def heaviside(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the unit step; the second array gives its value at zero."""
    x, at_zero = coercion.promote_inexact("heaviside", x1, x2)
    if arguments.rank_of(x):
        x = coercion.convert(x, arguments.dtype_of(x))
    x, at_zero = arguments.broadcast(x, at_zero)
    zero = coercion.like(x, 0)
    middle = lax.select(logic.is_nan(x), x, at_zero)
    right = lax.select(lax.gt(x, zero), lax.full_like(x, 1), middle)
    return lax.select(lax.lt(x, zero), lax.full_like(x, 0), right)


@public("numpy.choose", results.array, static=("mode",))
def choose(
    a: ArrayLike, choices: ArrayLike | Sequence[ArrayLike], out: None = None, mode: str = "raise"
) -> Array:
    """Picks each element from one of several arrays."""
    arguments.refuse_out("jnp.choose", out)
    listed: Any = choices
    x, *arrays = arguments.arrays("choose", a, *listed)
    if not arguments.is_kind(x, Kind.INT, Kind.UINT):
        raise ValueError("`a` array must be integer typed")
    count = len(arrays)
    if mode == "raise":
        data = arguments.known(x)
        if data is None:
            raise concretization_errors.concretization_error(
                x,
                Use.OPTION,
                "The error occurred because jnp.choose was jit-compiled with mode='raise'. Use "
                "mode='wrap' or mode='clip' instead. The first argument",
            )
        if ((data < 0) | (data >= count)).any():
            raise ValueError("invalid entry in choice array")
    elif mode == "wrap":
        x = jnp.remainder(x, count)
    elif mode == "clip":
        x = clip(x, 0, count - 1)
    else:
        raise ValueError(f"mode={mode!r} not understood. Must be 'raise', 'wrap', or 'clip'")
    given = map(arguments.strong, arguments.promote(*arrays))
    which, *values = arguments.broadcast(x, *given)
    return (
        lax.select_n(lax.convert_element_type(which, "int32"), *values) if count > 1 else values[0]
    )


@public("numpy.select", selection.select, edge="selects")
def select(
    condlist: Sequence[ArrayLike], choicelist: Sequence[ArrayLike], default: ArrayLike = 0
) -> Array:
    """Picks each element from the first array whose condition holds."""
    if len(condlist) != len(choicelist):
        raise errors.ShapeError(
            f"condlist must have length equal to choicelist ({len(condlist)} vs {len(choicelist)})"
        )
    if not condlist:
        raise ValueError("condlist must be non-empty")
    tests = arguments.arrays("select", *condlist)
    arrays = arguments.promote(*arguments.arrays("select", default, *choicelist))
    values = arguments.broadcast(*arrays, *tests)
    result = values[0]
    pairs = zip(values[1 : len(arrays)], values[len(arrays) :], strict=True)
    for value, test in reversed(list(pairs)):
        result = lax.select(condition_of(test), value, result)
    return result


def condition_of(test: Any) -> Any:
    return test if arguments.is_kind(test, Kind.BOOL) else jnp.not_equal(test, 0)


@public(
    "numpy.where",
    selection.where,
    sizes=("size",),
    dynamic_size=DynamicSize("size", ("condition",), without=("x", "y")),
    edge="selects",
)
def where(
    condition: Any, x: Any = None, y: Any = None, /, *, size: Any = None, fill_value: Any = None
) -> Any:
    """Picks elements from two arrays by a condition; alone, gives the indices where it is true."""
    if x is None and y is None:
        arguments.check_arrays("where", condition)
        return positions.nonzero(condition, size=size, fill_value=fill_value)
    arguments.check_arrays("where", condition, x, y)
    if size is not None or fill_value is not None:
        raise ValueError(
            "size and fill_value arguments cannot be used in three-term where function."
        )
    return select_where(condition, x, y)


@public("numpy.piecewise", selection.piecewise)
def piecewise(
    x: ArrayLike,
    condlist: Array | Sequence[ArrayLike],
    funclist: list[ArrayLike | Callable[..., Array]],
    *args: Any,
    **kw: Any,
) -> Array:
    """Evaluates the function whose condition holds, element by element."""
    (array,) = arguments.arrays("piecewise", x)
    conditions: Any = condlist
    count, given = len(conditions), len(funclist)
    if given not in (count, count + 1):
        raise ValueError(
            f"with {count} condition(s), either {count} or {count + 1} functions are expected; "
            f"got {given}"
        )
    ordered = [funclist[-1] if given > count else 0, *funclist[:count]]
    constants = {i: each for i, each in enumerate(ordered) if not callable(each)}
    called = tuple((i, each) for i, each in enumerate(ordered) if callable(each))
    tests = [condition_of(jnp.asarray(each)) for each in conditions]
    return _piecewise()(called, array, tests, constants, *args, **kw)


@functools.cache
def _piecewise() -> Any:
    """`_piecewise_of`, traced once for the same functions and types."""
    return jit(_piecewise_of, static_argnums=0)


def _piecewise_of(
    called: Sequence[tuple[int, Any]],
    x: ArrayLike,
    tests: Sequence[Any],
    constants: Mapping[int, Any],
    *args: Any,
    **keywords: Any,
) -> Any:
    dtype, shape = arguments.dtype_of(x), arguments.shape_of(x)
    values = dict(constants)
    for i, function in called:

        def apply(element: ArrayLike, function: Callable[..., Any] = function) -> Any:
            return arguments.convert(function(element, *args, **keywords), dtype)

        values[i] = vectorization.vectorized(apply, frozenset(), None)(x)

    def full(value: object) -> Any:
        return arguments.broadcast_to(arguments.convert(value, dtype), shape)

    result = full(values[0])
    for i in range(len(tests)):
        result = lax.select(arguments.broadcast_to(tests[i], shape), full(values[i + 1]), result)
    return result
