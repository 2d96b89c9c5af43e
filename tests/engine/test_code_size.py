# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Code that programs share: elementary functions that are called, kernels of nests that are alike.

What is called has the same bits as in line, in vectors of any width.
"""

from collections.abc import Sequence

import numpy as np
import pytest
from elementary_kernels import compiled, floats, kernel

import oakum as jax
import oakum.numpy as jnp
from oakum import dtypes
from oakum.compile import executable
from oakum.compile.elementary import CALLED
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.loops import operations
from oakum.compile.native import target
from oakum.dtypes import DType

COUNTS = {"atan2": 2, "pow": 2, "rem": 2}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64], ids=str)
@pytest.mark.parametrize("name", sorted(CALLED))
def test_calls_give_the_bits_of_code_in_line(name: str, dtype: DType) -> None:
    """A number changes when an array grows, as long arrays are computed in line."""
    count = COUNTS.get(name, 1)
    whole = target.host().width(dtype)
    operands = [floats(dtype, 64 * whole, seed) for seed in range(count)]
    expected = kernel(name, dtype, whole, count)(*operands)

    def write(f: Function, *values: Value) -> Value:
        f.calls = True
        return operations.write(f, name, dtype, values)

    for width in (1, whole // 2, whole, 4 * whole):
        found = compiled(write, dtype, width, count)(*operands)
        np.testing.assert_array_equal(found, expected, err_msg=f"{width} lanes")


@pytest.mark.parametrize(
    ("shape", "rounds", "calls"), [((64,), 1, True), ((1 << 16,), 1, False), ((64,), 5000, False)]
)
def test_only_what_is_short_calls(shape: Sequence[int], rounds: int, calls: bool) -> None:
    """The first call of a small program takes long, or a large one is slower than it need be."""

    def f(x: jax.Array) -> jax.Array:
        return (
            jax.lax.fori_loop(0, rounds, lambda _, y: jnp.sin(y), x) if rounds > 1 else jnp.sin(x)
        )

    closed = jax.make_jaxpr(f)(jnp.ones(shape))
    source = executable.of(closed).source
    assert source is not None
    assert [called.name for called in source.called] == ["sin"] * calls


def test_equal_layers_share_kernels() -> None:
    """The first call of a deep network takes the time of each of its layers."""

    def f(x: jax.Array, depth: int) -> jax.Array:
        for _ in range(depth):
            x = jax.nn.softmax(x, axis=-1) + x - x.mean(axis=0)
        return x

    def kernels(depth: int) -> int:
        closed = jax.make_jaxpr(lambda x: f(x, depth))(jnp.ones((8, 8)))
        source = executable.of(closed).source
        assert source is not None
        return source.text.count("define internal void @k")

    assert kernels(9) == kernels(4)
