"""Checks of derivatives against finite differences, for the tests of users.

A derivative is checked in one direction that is drawn at random, and for reverse mode in one
cotangent: of a derivative J, `u . J v` is compared for these u and v. That costs two evaluations of
the function whatever its size, and a wrong J passes with probability zero.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, cast

from oakum.abstract import results
from oakum.api.derivatives import jvp, linearize, vjp
from oakum.pytrees import pytree
from oakum.runtime.arrays import as_array
from oakum.tracing.trace import aval_of
from oakum.values import host
from oakum.values.declarations import public

STEP: Final = 1e-4
"""Half of the distance of the two points, over the size of the direction."""

_TOLERANCES: Final[Mapping[str, float]] = {
    "float16": 1e-2,
    "bfloat16": 1e-1,
    "float32": 2e-3,
    "float64": 1e-5,
    "complex64": 1e-3,
    "complex128": 1e-5,
}
"""The tolerance of JAX's checks by dtype, for each element; integers are compared exactly, and
floats of 4 and 8 bits to 1.
"""

Tolerance = float | Mapping[Any, float] | None
"""A tolerance, or one for each dtype; None is `_TOLERANCES`."""


@public("test_util.check_grads", results.nothing)
def check_grads(
    f: Callable[..., object],
    args: Sequence[object],
    order: int,
    modes: Sequence[str] = ("fwd", "rev"),
    atol: Tolerance = None,
    rtol: Tolerance = None,
    eps: float | None = None,
) -> None:
    """Compares derivatives of a function with finite differences.

    `order` derivatives are taken, in each of the `modes`: "fwd" (`jvp`), "rev" (`vjp`), "lin"
    (`linearize`). Raises AssertionError, which names the modes and shows the difference.

    >>> import oakum, oakum.numpy as jnp
    >>> oakum.test_util.check_grads(jnp.sin, (1.0,), order=1)
    """
    _check_orders(f, tuple(args), order, tuple(modes), atol, rtol, eps or STEP, "")


def _check_orders(
    f: Callable[..., object],
    args: tuple[object, ...],
    order: int,
    modes: tuple[str, ...],
    atol: Tolerance,
    rtol: Tolerance,
    eps: float,
    what: str,
) -> None:
    waiting = [(f, args, order, what)]
    while waiting:
        function, primals, left, name = waiting.pop()
        forms = {
            "fwd": functools.partial(jvp, function),
            "lin": functools.partial(_linearized, function),
        }
        for mode, label in (("fwd", "JVP"), ("rev", "VJP"), ("lin", "LIN")):
            if mode not in modes:
                continue
            message = f"{label} of {name}" if name else label
            if mode == "rev":
                check_vjp(
                    function, functools.partial(vjp, function), primals, atol, rtol, eps, message
                )
                below: Callable[..., object] = functools.partial(_pulled_back, function)
                inputs: tuple[object, ...] = primals
            else:
                below = forms[mode]
                check_jvp(function, below, primals, atol, rtol, eps, message)
                inputs = (primals, primals)
            if left > 1:
                waiting.append((below, inputs, left - 1, message))


def _linearized(f: Callable[..., object], primals: object, tangents: object) -> object:
    out, linear = linearize(f, *_as_tuple(primals))
    return out, linear(*_as_tuple(tangents))


def _pulled_back(f: Callable[..., object], *args: object) -> object:
    out, pullback = vjp(f, *args)
    return pullback(out)


def _as_tuple(values: object) -> tuple[Any, ...]:
    return tuple(cast("Sequence[Any]", values))


@public("test_util.check_jvp", results.nothing)
def check_jvp(
    f: Callable[..., object],
    f_jvp: Callable[..., Any],
    args: Sequence[object],
    atol: Tolerance = None,
    rtol: Tolerance = None,
    eps: float = STEP,
    err_msg: str = "",
) -> None:
    """Compares forward-mode derivatives with finite differences.

    `f_jvp(args, tangents)` returns the result of `f(*args)` and its tangent, as
    `functools.partial(jvp, f)` does.
    """
    args = tuple(args)
    tangents = _random_like(host.np.random.RandomState(0), args)
    found, tangent = f_jvp(args, tangents)
    expected = f(*args)
    for one, other in ((found, tangent), (found, expected)):
        _check_dtypes(one, other)
    _check_close(found, expected, atol, rtol, f"{err_msg} primal".strip())
    difference = _difference(f, args, tangents, eps)
    _check_close(tangent, difference, atol, rtol, f"{err_msg} tangent".strip())


@public("test_util.check_vjp", results.nothing)
def check_vjp(
    f: Callable[..., object],
    f_vjp: Callable[..., Any],
    args: Sequence[object],
    atol: Tolerance = None,
    rtol: Tolerance = None,
    eps: float = STEP,
    err_msg: str = "",
) -> None:
    """Compares reverse-mode derivatives with finite differences.

    `f_vjp(*args)` returns the result of `f(*args)` and its pullback, as `functools.partial(vjp, f)`
    does.
    """
    args = tuple(args)
    found, pullback = f_vjp(*args)
    _check_close(found, f(*args), atol, rtol, f"{err_msg} primal".strip())
    generator = host.np.random.RandomState(0)
    tangents = _random_like(generator, args)
    cotangent = _random_like(generator, found)
    # The pullback of complex numbers is linear, not conjugate linear.
    back = _map(host.np.conj, pullback(_map(host.np.conj, cotangent)))
    _check_close(
        _inner_product(tangents, back),
        _inner_product(_difference(f, args, tangents, eps), cotangent),
        atol,
        rtol,
        f"{err_msg} cotangent projection".strip(),
    )


def _map(function: Callable[..., Any], *trees: object) -> Any:
    """Applies a function of NumPy's arrays to the leaves of trees."""
    leaves, tree = pytree.flatten(trees[0])
    rest = [pytree.leaves(each) for each in trees[1:]]
    columns = zip(leaves, *rest, strict=True)
    return pytree.unflatten(tree, [function(*map(_array, column)) for column in columns])


def _array(value: object) -> Any:
    """Returns NumPy's array of a value, in the dtype that oakum computes in."""
    return host.np.asarray(as_array(value).raw if aval_of(value).shape is not None else value)


class _Normal(Protocol):
    """A generator of NumPy's that draws normal numbers."""

    def randn(self, *shape: int) -> Any: ...


def _random_like(generator: _Normal, tree: object) -> Any:
    """Returns a tree of normal numbers of the same shapes and dtypes."""
    np = host.np

    def draw(value: host.Array) -> Any:
        drawn = generator.randn(*value.shape)
        if np.iscomplexobj(value):
            drawn = drawn + 1j * generator.randn(*value.shape)
        return np.asarray(drawn).astype(value.dtype)

    return _map(draw, tree)


def _difference(
    f: Callable[..., object], args: tuple[object, ...], tangents: object, eps: float
) -> Any:
    """Returns the central difference of a function in a direction."""
    np = host.np

    def moved(by: float) -> Any:
        def move(x: host.Array, t: host.Array) -> Any:
            return (x + by * t).astype(x.dtype)

        return f(*_map(move, args, tangents))

    def slope(above: host.Array, below: host.Array) -> Any:
        # Two infinities of one sign are no change.
        change = np.where(above == below, np.zeros_like(above), above - below)
        return (change * (0.5 / eps)).astype(above.dtype)

    with np.errstate(invalid="ignore"):
        return _map(slope, moved(eps), moved(-eps))


def _inner_product(left: object, right: object) -> Any:
    """Returns the real part of the inner product of two trees of arrays."""
    np = host.np

    def multiply(x: host.Array, y: host.Array) -> Any:
        return np.real(np.vdot(x, y)).astype(np.real(x).dtype)

    parts = pytree.leaves(_map(multiply, left, right))
    return functools.reduce(np.add, parts) if parts else np.zeros(())


def _check_dtypes(left: object, right: object) -> None:
    for one, other in zip(pytree.leaves(left), pytree.leaves(right), strict=True):
        mine, theirs = aval_of(one).dtype, aval_of(other).dtype
        assert mine is theirs, f"the dtypes differ: {mine} and {theirs}"


def _check_close(
    found: object, expected: object, atol: Tolerance, rtol: Tolerance, message: str
) -> None:
    np = host.np

    def check(mine: host.Array, theirs: host.Array) -> Any:
        assert mine.shape == theirs.shape, f"{message}: shapes {mine.shape} and {theirs.shape}"
        names = mine.dtype.name, theirs.dtype.name
        absolute, relative = (max(_tolerance(name, tol) for name in names) for tol in (atol, rtol))
        if "float0" in map(str, (mine.dtype, theirs.dtype)):
            return mine
        wide = [x.astype(np.float32) if x.dtype.kind == "V" else x for x in (mine, theirs)]
        # Rounding adds up over elements.
        np.testing.assert_allclose(
            *wide, atol=absolute * mine.size, rtol=relative * mine.size, err_msg=message
        )
        return mine

    _map(check, found, expected)


def _tolerance(name: str, given: Tolerance) -> float:
    """Returns the tolerance of a dtype."""
    default = _TOLERANCES.get(name, float(name.startswith("float")))
    if given is None:
        return default
    if not isinstance(given, Mapping):
        return given
    return {host.np.dtype(key).name: value for key, value in given.items()}.get(name, default)
