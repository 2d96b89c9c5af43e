"""Runs a function with real JAX and with oakum, and compares what comes out.

A function takes the package, `jax` or `oakum`, and then host arrays.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import oakum

np: Any = pytest.importorskip("numpy")
jax: Any = pytest.importorskip("jax")

Function = (
    Callable[[Any], Any]
    | Callable[[Any, Any], Any]
    | Callable[[Any, Any, Any], Any]
    | Callable[[Any, Any, Any, Any], Any]
    | Callable[[Any, Any, Any, Any, Any], Any]
)
"""What is done with a package and arrays."""

EPSILONS = {
    "bfloat16": 2e-2,
    "float16": 2e-3,
    "float32": 2e-5,
    "complex64": 2e-5,
    "float64": 1e-9,
    "complex128": 1e-9,
}


def leaves(tree: Any) -> list[Any]:
    """The arrays of a result."""
    return jax.tree_util.tree_leaves(tree, is_leaf=_is_array)


def _is_array(value: Any) -> bool:
    return hasattr(value, "aval")


def assert_same_array(theirs: Any, ours: Any, tolerance: float | None = None) -> None:
    """Fails where two arrays differ in shape, dtype, weak type or, beyond rounding, in value."""
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype
    # An array of NumPy that comes out as it went in has no weak type: it is not weak.
    assert getattr(ours, "weak_type", False) == getattr(theirs, "weak_type", False)
    left, right = np.asarray(theirs), np.asarray(ours)
    if left.dtype.kind in "biu" or left.dtype.names:
        np.testing.assert_array_equal(right, left)
        return
    epsilon = tolerance or EPSILONS.get(left.dtype.name, 0.3)
    if left.dtype.kind == "V":
        left, right = left.astype(np.float32), right.astype(np.float32)
    np.testing.assert_allclose(right, left, rtol=epsilon, atol=epsilon)


def assert_same(function: Function, *arguments: Any, tolerance: float | None = None) -> None:
    """Fails where results differ, or where one raises and the other does not raise its class."""
    call: Any = function
    try:
        theirs = _staged(call, arguments)
    except Exception as error:
        with pytest.raises(_public_class(error)):
            call(oakum, *arguments)
        return
    ours = call(oakum, *arguments)
    assert len(leaves(ours)) == len(leaves(theirs))
    for left, right in zip(leaves(theirs), leaves(ours), strict=True):
        assert_same_array(left, right, tolerance)


def _staged(call: Any, arguments: Sequence[Any]) -> Any:
    """JAX's result, compiled as one program: its operations alone take long to compile."""
    if any(getattr(x, "dtype", None) == jax.dtypes.float0 for x in leaves(arguments)):
        return call(jax, *arguments)
    try:
        return jax.jit(functools.partial(call, jax))(*arguments)
    except (jax.errors.JAXTypeError, jax.errors.JAXIndexError, RuntimeWarning):
        # What needs concrete values is not to be compiled, nor casts that overflow where JAX folds
        # constants: it folds them to other numbers.
        return call(jax, *arguments)


def _public_class(error: Exception) -> type[Exception]:
    classes = (TypeError, ValueError, IndexError, NotImplementedError, RuntimeError)
    return next((each for each in classes if isinstance(error, each)), Exception)


def _like(value: Any, rng: Any) -> Any:
    array = np.asarray(value)
    if array.dtype.kind in "biu":
        return np.zeros(array.shape, [("float0", np.void, 0)])
    drawn = rng.normal(size=array.shape)
    if array.dtype.kind == "c":
        drawn = drawn + 1j * rng.normal(size=array.shape)
    return np.asarray(drawn).astype(array.dtype)


def assert_same_derivatives(
    function: Function,
    *arguments: Any,
    tolerance: float | None = None,
    modes: Sequence[str] = ("forward", "reverse"),
) -> None:
    """Fails where tangents or cotangents differ from JAX's."""
    call: Any = function
    rng = np.random.default_rng(0)
    tangents = tuple(_like(each, rng) for each in arguments)
    if "forward" in modes:

        def push(package: Any, primals: Any, tangents: Any) -> Any:
            return package.jvp(functools.partial(call, package), primals, tangents)

        assert_same(push, arguments, tangents, tolerance=tolerance)
    if "reverse" in modes:
        shapes = jax.eval_shape(functools.partial(call, jax), *arguments)

        def cotangent(x: Any) -> Any:
            return _like(np.ones(x.shape, x.dtype), rng)

        cotangents = jax.tree_util.tree_map(cotangent, shapes)

        def pull(package: Any, primals: Any, cotangents: Any) -> Any:
            _, back = package.vjp(functools.partial(call, package), *primals)
            found = back(cotangents)
            return [x for x in found if getattr(x, "dtype", None) != jax.dtypes.float0]

        assert_same(pull, arguments, cotangents, tolerance=tolerance)


def assert_same_mapped(
    function: Function,
    *arguments: Any,
    in_axes: Any = 0,
    out_axes: Any = 0,
    tolerance: float | None = None,
) -> None:
    """Fails where the mapped function differs from JAX's."""

    def mapped(package: Any, *operands: Any) -> Any:
        call: Any = functools.partial(function, package)
        return package.vmap(call, in_axes, out_axes)(*operands)

    call: Any = mapped
    assert_same(call, *arguments, tolerance=tolerance)


def assert_same_staged(function: Function, *arguments: Any, tolerance: float | None = None) -> None:
    """Fails where the staged function differs from JAX's."""
    assert_same(
        lambda package: package.jit(functools.partial(function, package))(*arguments),
        tolerance=tolerance,
    )


def assert_same_everywhere(
    function: Function, *arguments: Any, tolerance: float | None = None
) -> None:
    """Fails where results, derivatives or the form mapped over a new axis differ from JAX's."""
    assert_same(function, *arguments, tolerance=tolerance)
    assert_same_derivatives(function, *arguments, tolerance=tolerance)
    stacked = [
        np.stack([each, each[::-1] if each.ndim else each]) for each in map(np.asarray, arguments)
    ]
    assert_same_mapped(function, *stacked, tolerance=tolerance)
    ends = [np.stack([each, each], axis=-1) for each in map(np.asarray, arguments)]
    assert_same_mapped(function, *ends, in_axes=-1, tolerance=tolerance)
