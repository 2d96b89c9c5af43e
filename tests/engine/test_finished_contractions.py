# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""What follows a product is done with its elements before they are stored, and gives the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled_programs import compare_compiled
from hypothesis import given, settings
from hypothesis import strategies as st

import oakum
from oakum import dtypes, grad, lax, nn
from oakum import numpy as jnp
from oakum.compile.cpu.step_writer import ProductCodes
from oakum.compile.executable import Executable
from oakum.compile.native import target
from oakum.compile.plan.steps import ContractionStep, describe
from oakum.values import host

NEAR = {
    "float32": 2e-5,
    "float64": 1e-12,
    "bfloat16": 0.1,
    "float16": 1e-2,
    "int32": 0.0,
    "int8": 0.0,
}

FOLLOWING: dict[str, Callable[..., Any]] = {
    "bias": lambda z, b, r: z + b,
    "scaled": lambda z, b, r: z * 3 - r,
    "rectified": lambda z, b, r: jnp.maximum(z + b, 0),
    "masked": lambda z, b, r: jnp.where(r > 0, z, b),
    "compared": lambda z, b, r: z > r,
    "converted": lambda z, b, r: (z + b).astype(jnp.int8),
    "several": lambda z, b, r: (z + b, z > 0, z),
    "position": lambda z, b, r: z + jnp.arange(z.shape[-1]).astype(z.dtype),
    "split": lambda z, b, r: (z + b).reshape(-1) * 2,
    "turned": lambda z, b, r: (z + b).T,
    "gone on with": lambda z, b, r: jnp.tanh((z + b).astype(jnp.float32)),
}


def steps_of(program: Executable) -> list[Any]:
    assert program.plan is not None
    return program.plan.steps


def whole(random: np.random.Generator, dtype: str, *shape: int) -> Any:
    """Small whole numbers, so that no order of sums changes them."""
    return np.asarray(random.integers(-3, 4, shape), host.dtype(dtypes.DTYPES[dtype]))


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(sorted(FOLLOWING)),
    st.sampled_from(sorted(NEAR)),
    st.sampled_from(((), (3,), (2, 3))),
    st.tuples(*[st.sampled_from((0, 1, 5, 8, 33, 70)) for _ in range(3)]),
    st.integers(0, 3),
)
def test_products_are_gone_on_with_as_when_interpreted(
    following: str, dtype: str, batch: tuple[int, ...], sizes: tuple[int, int, int], seed: int
) -> None:
    m, k, n = sizes
    random = np.random.default_rng(seed)
    arrays = [
        whole(random, dtype, *batch, m, k),
        whole(random, dtype, *batch[1:], k, n),
        whole(random, dtype, n),
        whole(random, dtype, m, n),
    ]
    function = FOLLOWING[following]
    with oakum.enable_x64(True):
        compare_compiled(lambda x, y, b, r: function(x @ y, b, r), *arrays, near=NEAR[dtype])


@pytest.mark.parametrize("sizes", [(64, 32, 48), (130, 1100, 37), (40, 1100, 310), (1, 300, 100)])
def test_a_layer_is_one_step(sizes: tuple[int, int, int]) -> None:
    # Were it two, its result would go through memory once more.
    m, k, n = sizes
    random = np.random.default_rng(0)
    arrays = [random.standard_normal(shape).astype("float32") for shape in ((m, k), (k, n), (n,))]
    program = compare_compiled(lambda x, w, b: nn.gelu(x @ w + b), *arrays, near=5e-4)
    assert [type(step) for step in steps_of(program)] == [ContractionStep]


@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
def test_a_convolution_with_bias_is_one_step(layout: str) -> None:
    random = np.random.default_rng(0)
    filters = whole(random, "float32", 3, 3, 4, 16)
    shape = (2, 9, 11, 4) if layout == "NHWC" else (2, 4, 9, 11)

    def layer(x: Any, b: Any) -> Any:
        numbers = layout, "HWIO", layout
        z = lax.conv_general_dilated(x, filters, (1, 1), "SAME", dimension_numbers=numbers)
        return nn.silu(z + (b if layout == "NHWC" else b[:, None, None]))

    arrays = whole(random, "float32", *shape), whole(random, "float32", 16)
    program = compare_compiled(layer, *arrays, near=2e-5)
    assert [type(step) for step in steps_of(program)] == [ContractionStep]


def test_exceptional_numbers_go_through() -> None:
    x = np.ones((20, 30), "float32")
    x[3, 4], x[5, 6], x[7, 8] = np.nan, np.inf, -np.inf
    y = np.eye(30, 17, dtype="float32")
    arrays = x, y, np.zeros(17, "float32")
    with np.errstate(invalid="ignore"):
        compare_compiled(lambda x, y, b: nn.relu(x @ y + b), *arrays, nan_bits=False)


def test_masks_over_the_rows_of_each_batch_item() -> None:
    random = np.random.default_rng(0)
    queries, keys = (whole(random, "float32", 2, 3, n, 16) for n in (17, 19))
    mask = random.random((17, 19)) > 0.5

    def scores(q: Any, k: Any, mask: Any) -> Any:
        return jnp.where(mask, jnp.einsum("bhqd,bhkd->bhqk", q, k) / 4, -jnp.inf)

    compare_compiled(scores, queries, keys, mask)


def test_who_reads_a_product_otherwise_finds_it() -> None:
    random = np.random.default_rng(0)
    x, y = whole(random, "float32", 24, 40), whole(random, "float32", 40, 24)

    def read_before(x: Any, y: Any) -> Any:
        z = x @ y
        return nn.relu(z + z.sum()), z.T @ x

    compare_compiled(read_before, x, y)
    compare_compiled(lambda x, y: (x @ y) + (x @ y).T, x, y)
    compare_compiled(lambda x, y: (x @ y) * (y.T @ x.T) + 1, x, y)


def test_a_step_of_training() -> None:
    random = np.random.default_rng(0)
    shapes = (16, 40), (40, 32), (32,), (32, 10)
    x, w, b, v = (random.standard_normal(shape).astype("float32") for shape in shapes)

    def loss(w: Any, b: Any, v: Any, x: Any) -> Any:
        return (nn.softmax(nn.relu(x @ w + b) @ v) ** 2).sum()

    def updated(w: Any, b: Any, v: Any, x: Any) -> Any:
        slopes = grad(loss, (0, 1, 2))(w, b, v, x)
        return [p - 0.1 * g for p, g in zip((w, b, v), slopes, strict=True)]

    compare_compiled(updated, w, b, v, x, near=1e-4)


@pytest.mark.parametrize("turned", [False, True])
def test_products_that_threads_share(turned: bool) -> None:
    """Threads begin to multiply before all of them have packed, or mix up their memory."""
    random = np.random.default_rng(0)
    x, y = whole(random, "float32", 700, 300), whole(random, "float32", 700, 200)
    b = whole(random, "float32", 300 if turned else 200)
    oakum.config.update("oakum_num_threads", 3)

    def dense(x: Any, y: Any, b: Any) -> Any:
        return jnp.maximum((y.T @ x if turned else x.T @ y) + b, 0)

    program = compare_compiled(dense, x, y, b)
    [step] = steps_of(program)
    _, code, shares = ProductCodes(target.host()).of(step.problem, step.epilogue)
    assert shares > 1
    assert code.preparation is not None


@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
def test_transposed_convolutions_of_uneven_places(layout: str) -> None:
    """A wrong place where elements apart do not divide the places of a transposed convolution."""
    random = np.random.default_rng(0)
    filters = whole(random, "float32", 3, 5, 4, 16)
    shape = (2, 9, 11, 4) if layout == "NHWC" else (2, 4, 9, 11)

    def layer(x: Any) -> Any:
        return lax.conv_transpose(
            x, filters, (2, 3), "VALID", dimension_numbers=(layout, "HWIO", layout)
        )

    program = compare_compiled(layer, whole(random, "float32", *shape))
    problems = [describe(step) for step in steps_of(program) if isinstance(step, ContractionStep)]
    assert problems == ["convolution to 20x36 by 3x5 of float32"]
