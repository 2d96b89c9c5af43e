# pyright: basic
# Functions that are given by name have no types for the strict mode.
"""Elementary functions of many elements are computed of several vectors at a time."""

from __future__ import annotations

import numpy as np
import pytest

import oakum
from oakum import lax
from oakum import numpy as jnp

SHORT = "erf exp expm1 log1p logistic sin tanh floor".split()
LONG = "pow atan2 erfc lgamma tan".split()


def numbers(dtype: str) -> np.ndarray:
    """Numbers of all sizes, with NaN, infinities and zeros in the lanes of every vector."""
    random = np.random.default_rng(0)
    found = random.normal(size=10_007) * 10.0 ** random.integers(-4, 3, 10_007)
    found[::17], found[3::19], found[5::23], found[7::29] = np.nan, np.inf, -0.0, 1e30
    with np.errstate(over="ignore"):
        return found.astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("name", [*SHORT, *LONG])
def test_many_elements_are_what_few_are(name: str, dtype: str) -> None:
    """The same number has another sine in a long array than in a short one."""
    with oakum.enable_x64(True):
        x = numbers(dtype)
        operands = [x, x[::-1].copy()][: 1 + (name in ("pow", "atan2"))]
        function = oakum.jit(getattr(lax, name))
        whole = np.asarray(function(*map(jnp.asarray, operands)))
        few = np.asarray(function(*(jnp.asarray(each[-99:]) for each in operands)))
    assert whole[-99:].tobytes() == few.tobytes()
