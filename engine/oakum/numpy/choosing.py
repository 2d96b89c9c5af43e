"""Picking elements from several arrays, by numbers, conditions and functions."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.api.jit import jit
from oakum.dtypes import Kind
from oakum.numpy import arguments, vectorizing
from oakum.tracing import concretization_errors
from oakum.values.uses import Use


def choose(a: Any, choices: Any, mode: str) -> Any:
    """The elements of the arrays that numbers name."""
    a, *arrays = arguments.arrays("choose", a, *choices)
    if not arguments.is_kind(a, Kind.INT, Kind.UINT):
        raise ValueError("`a` array must be integer typed")
    count = len(arrays)
    if mode == "raise":
        data = arguments.known(a)
        if data is None:
            raise concretization_errors.concretization_error(
                a,
                Use.OPTION,
                "The error occurred because jnp.choose was jit-compiled with mode='raise'. Use "
                "mode='wrap' or mode='clip' instead. The first argument",
            )
        if ((data < 0) | (data >= count)).any():
            raise ValueError("invalid entry in choice array")
    elif mode == "wrap":
        a = jnp.remainder(a, count)
    elif mode == "clip":
        a = jnp.clip(a, 0, count - 1)
    else:
        raise ValueError(f"mode={mode!r} not understood. Must be 'raise', 'wrap', or 'clip'")
    given = map(arguments.strong, arguments.promote(*arrays))
    which, *values = arguments.broadcast(a, *given)
    return (
        lax.select_n(lax.convert_element_type(which, "int32"), *values) if count > 1 else values[0]
    )


def select(conditions: Sequence[Any], choices: Sequence[Any], default: Any) -> Any:
    """The elements of the first array whose condition holds."""
    if len(conditions) != len(choices):
        raise errors.ShapeError(
            f"condlist must have length equal to choicelist ({len(conditions)} vs {len(choices)})"
        )
    if not conditions:
        raise ValueError("condlist must be non-empty")
    tests = arguments.arrays("select", *conditions)
    arrays = arguments.promote(*arguments.arrays("select", default, *choices))
    values = arguments.broadcast(*arrays, *tests)
    result = values[0]
    pairs = zip(values[1 : len(arrays)], values[len(arrays) :], strict=True)
    for value, test in reversed(list(pairs)):
        result = lax.select(_truth(test), value, result)
    return result


def _truth(test: Any) -> Any:
    return test if arguments.is_kind(test, Kind.BOOL) else jnp.not_equal(test, 0)


def piecewise(
    x: Any, conditions: Any, functions: Sequence[Any], args: Any, keywords: Mapping[str, Any]
) -> Any:
    """The results of the functions, or the constants, of the last conditions that hold.

    The functions get one element at a time, and are traced once for each type of the array.
    """
    (x,) = arguments.arrays("piecewise", x)
    count, given = len(conditions), len(functions)
    if given not in (count, count + 1):
        raise ValueError(
            f"with {count} condition(s), either {count} or {count + 1} functions are expected; "
            f"got {given}"
        )
    ordered = [functions[-1] if given > count else 0, *functions[:count]]
    constants = {i: each for i, each in enumerate(ordered) if not callable(each)}
    called = tuple((i, each) for i, each in enumerate(ordered) if callable(each))
    tests = [_truth(jnp.asarray(each)) for each in conditions]
    return _piecewise()(called, x, tests, constants, *args, **keywords)


@functools.cache
def _piecewise() -> Any:
    """`_piecewise_of`, traced once for the same functions and types."""
    return jit(_piecewise_of, static_argnums=0)


def _piecewise_of(
    called: Sequence[tuple[int, Any]],
    x: Any,
    tests: Sequence[Any],
    constants: Mapping[int, Any],
    *args: Any,
    **keywords: Any,
) -> Any:
    dtype, shape = arguments.dtype_of(x), arguments.shape_of(x)
    values = dict(constants)
    for i, function in called:

        def apply(element: Any, function: Any = function) -> Any:
            return arguments.convert(function(element, *args, **keywords), dtype)

        values[i] = vectorizing.vectorize(apply, frozenset(), None)(x)

    def full(value: Any) -> Any:
        return arguments.broadcast_to(arguments.convert(value, dtype), shape)

    result = full(values[0])
    for i in range(len(tests)):
        result = lax.select(arguments.broadcast_to(tests[i], shape), full(values[i + 1]), result)
    return result


def compress(
    name: str, condition: Any, a: Any, axis: int | None, size: int | None, fill_value: Any
) -> Any:
    """The slices along an axis for which a condition is true."""
    condition, a, fill = arguments.arrays(name, condition, a, fill_value)
    test = _truth(condition)
    if arguments.rank_of(test) != 1:
        raise errors.ShapeError("condition must be a 1D array")
    if axis is None:
        a, axis = jnp.ravel(a), 0
    a = jnp.moveaxis(a, axis, 0)
    length = arguments.shape_of(a)[0]
    beyond = test[length:]
    test = test[:length]
    a = a[: arguments.size_of(test)]
    if size is None:
        arguments.demand(condition, f"jnp.{name}() without size")
        if arguments.demand(beyond, f"jnp.{name}() without size").any():
            raise ValueError("condition contains entries that are out of bounds")
        return jnp.moveaxis(a[test], 0, axis)
    if not 0 <= size <= arguments.shape_of(a)[0]:
        raise ValueError(
            "size must be positive and not greater than the size of the array axis; got "
            f"size={size!r} for a.shape[axis]={arguments.shape_of(a)[0]}"
        )
    mask = lax.expand_dims(test, tuple(range(1, arguments.rank_of(a))))
    kept = jnp.where(mask, a, arguments.convert(fill, arguments.dtype_of(a)))
    order = jnp.argsort(test, stable=True, descending=True)
    return jnp.moveaxis(kept[order][:size], 0, axis)
