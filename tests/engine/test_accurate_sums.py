# pyright: basic
"""Long sums keep their digits: what float32 sums of many terms lose to rounding, beside JAX."""

import os
from collections.abc import Callable
from typing import Any

import pytest

import oakum
import oakum.numpy as jnp

np: Any = pytest.importorskip("numpy")

SHAPES: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((300_000,), (0,)),
    ((50_000, 4), (0,)),
    ((50_021, 10), (0,)),
    ((4_000, 300), (0,)),
    ((3, 20_000, 5), (1,)),
    ((3, 20_000, 5), (0, 1)),
    ((16, 50, 60, 8), (0, 1, 2)),
    ((64, 6, 40, 40), (0, 2, 3)),
    ((4, 70_000), (1,)),
    ((129, 131, 3), (0, 1)),
]

MANY_PRODUCTS = 6_000 if os.environ.get("OAKUM_PLATFORMS") == "emulated" else 60_000
"""An emulated GPU has the same kernels for both, and takes ten times as long for the second: 60 of
the 400 seconds of the emulated suite.
"""


def _error(found: Any, expected: Any) -> float:
    return float(np.max(np.abs(np.asarray(found, np.float64) / expected - 1)))


@pytest.mark.parametrize("jitted", [False, True])
@pytest.mark.parametrize(("shape", "axes"), SHAPES)
def test_sums_of_many_terms(shape: tuple[int, ...], axes: tuple[int, ...], jitted: bool) -> None:
    """The mean of a large batch loses one or two of its seven digits."""
    x = np.random.default_rng(1).random(shape).astype(np.float32)
    wide = x.astype(np.float64)
    call: Callable[..., Any] = oakum.jit if jitted else lambda function: function
    total = call(lambda x: jnp.sum(x, axes))(x)
    spread = call(lambda x: jnp.var(x, axes))(x)
    assert total.shape == wide.sum(axes).shape
    assert _error(total, wide.sum(axes)) < 6e-7
    assert _error(spread, wide.var(axes)) < 1e-6


@pytest.mark.parametrize("jitted", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("shape", "axis"),
    [((300_000,), 0), ((2_100,), 0), ((30_000, 5), 0), ((1_500, 1_100), 0), ((3, 9_000, 7), 1)],
)
def test_running_sums(shape: tuple[int, ...], axis: int, reverse: bool, jitted: bool) -> None:
    """The last of many running sums loses one or two digits, or a chunk begins at another total."""
    x = np.random.default_rng(3).random(shape).astype(np.float32)
    wide = np.flip(x, axis) if reverse else x
    expected = np.cumsum(wide.astype(np.float64), axis)
    call: Callable[..., Any] = oakum.jit if jitted else lambda function: function
    found = call(lambda x: oakum.lax.cumsum(x, axis, reverse=reverse))(x)
    assert _error(found, np.flip(expected, axis) if reverse else expected) < 1.2e-6


def test_inner_products_of_many_terms() -> None:
    """A contraction that keeps no axis of its own added one product after another."""
    x = np.random.default_rng(4).random((50_000, 8)).astype(np.float32)
    found = oakum.jit(lambda x: jnp.einsum("bd,bd->d", x, x))(x)
    assert _error(found, (x.astype(np.float64) ** 2).sum(0)) < 6e-7


@pytest.mark.parametrize(
    ("m", "n"), [(1, 4), (4, 1), (4, 4), (8, 64), (1, 300), (3, 300), (10, 301), (40, 70)]
)
@pytest.mark.parametrize("k", [513, MANY_PRODUCTS])
def test_products_over_many_terms(m: int, n: int, k: int) -> None:
    """The gradient of a layer's weights, summed over a large batch, loses one or two digits."""
    chance = np.random.default_rng(5)
    x, w = (chance.random(shape).astype(np.float32) for shape in ((k, m), (k, n)))
    found = oakum.jit(lambda x, w: x.T @ w)(x, w)
    assert _error(found, x.astype(np.float64).T @ w.astype(np.float64)) < 2e-6


@pytest.mark.parametrize("order", ["transposed", "every other", "reversed", "broadcast"])
def test_sums_of_views(order: str) -> None:
    """A view would be summed over other elements, or less accurately."""
    x = np.random.default_rng(2).random((20_000, 6)).astype(np.float32)
    views: dict[str, Callable[[Any], Any]] = {
        "transposed": lambda x: x.T,
        "every other": lambda x: x[::2, ::3],
        "reversed": lambda x: x[::-1],
        "broadcast": lambda x: np.broadcast_to(x[:1], (20_000, 6)),
    }
    from oakum.primitives.rules.host_sums import accurate_sum

    view = views[order](x)
    for axes in ((0,), (1,), (0, 1)):
        found = accurate_sum(np, view, axes)
        assert found.dtype == np.float32
        # Equal terms round alike in each chunk, so that their errors add up.
        bound = 3e-6 if order == "broadcast" else 6e-7
        assert _error(found, view.astype(np.float64).sum(axes)) < bound


def test_sums_of_integers_and_of_nothing_are_exact() -> None:
    """The cut of long sums would change what is exact, or fail on empty axes."""
    x = np.arange(100_000, dtype=np.int32).reshape(-1, 5)
    assert np.asarray(jnp.sum(x, 0)).tolist() == x.sum(0, dtype=np.int32).tolist()
    assert np.asarray(jnp.sum(jnp.zeros((1000, 0)), 0)).shape == (0,)
    assert np.asarray(oakum.jit(lambda x: jnp.sum(x, 0))(jnp.zeros((0, 3)))).tolist() == [0, 0, 0]


def test_compiled_and_evaluated_norms_agree() -> None:
    """JAX's first tutorial compares them within 1e-6, and they did not agree."""
    x = jnp.asarray(np.random.default_rng(1701).random((10_000, 10)).astype(np.float32))

    def norm(x: Any) -> Any:
        x = x - x.mean(0)
        return x / x.std(0)

    assert np.allclose(norm(x), oakum.jit(norm)(x), atol=1e-6)
