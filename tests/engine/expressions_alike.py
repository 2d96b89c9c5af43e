"""Evaluates an expression with JAX and with oakum, and compares what comes out.

In an expression `jnp` and `jax` stand for either package, `np` for NumPy; the other names are the
arrays below, made by the package.
"""

from typing import Any

import numpy as np
from against_jax import assert_same, jax, leaves

import oakum

ARRAYS: dict[str, Any] = {
    "x": np.array([[0.5, -1.5, 2.0], [3.25, 0.0, -0.75]], np.float32),
    "y": np.array([2.0, -0.5, 4.0], np.float32),
    "p": np.array([[0.2, 0.7, 0.1], [0.9, 0.4, 0.6]], np.float32),
    "i": np.array([[1, -2, 3], [0, 5, -6]], np.int32),
    "j": np.array([3, 2, -4], np.int32),
    "s": np.array([100, -100, 7], np.int8),
    "u": np.array([1, 2, 250], np.uint8),
    "b": np.array([True, False, True]),
    "h": np.array([1.5, -2.0, 0.25], np.float16),
    "c": np.array([1 + 2j, -0.5j, 3.0], np.complex64),
    "n": np.array([[1.0, np.nan, np.inf], [-np.inf, -2.0, np.nan]], np.float32),
}
"""The arrays of an expression; `w` is a weakly typed scalar, `f` is `y` in bfloat16."""


def names(package: Any) -> dict[str, Any]:
    """What the names of an expression stand for, with a package."""
    jnp = package.numpy
    arrays = {name: jnp.asarray(value) for name, value in ARRAYS.items()}
    weak = {"w": jnp.asarray(1.5), "k": jnp.asarray(3), "f": arrays["y"].astype(jnp.bfloat16)}
    return {"jax": package, "jnp": jnp, "np": np, **arrays, **weak}


def check(expression: str, tolerance: float | None = None) -> None:
    """Fails where the expression gives something else, or another class of error, than in JAX."""

    def run(package: Any) -> Any:
        result = eval(expression, names(package))
        return {at: leaf for at, leaf in enumerate(leaves(result)) if hasattr(leaf, "shape")}

    assert_same(run, tolerance=tolerance)


def check_value(expression: str) -> None:
    """Fails where an expression whose value is one of Python's has another value than in JAX."""
    theirs, ours = (eval(expression, names(package)) for package in (jax, oakum))
    assert ours == theirs


def lines(text: str) -> list[str]:
    """The expressions of a text, one a line."""
    return [line.strip() for line in text.strip().splitlines() if line.strip()]
