# pyright: basic
"""Functions with a batching rule of their own are as JAX has them."""

import numpy as np
import pytest

import oakum as jax
from oakum import numpy as jnp
from oakum.custom_batching import custom_vmap, sequential_vmap


@custom_vmap
def product(x, y):
    return x * y


@product.def_vmap
def product_rule(axis_size, in_batched, xs, ys):
    """Gives ten times the product, so that tests see when it is used."""
    return 10.0 * xs * ys, any(in_batched)


X, Y = np.arange(3.0, dtype=np.float32), np.float32(2.0)


def test_the_rule_is_used_under_vmap_alone():
    assert product(X[1], Y) == 2.0
    np.testing.assert_allclose(jax.vmap(product, (0, None))(X, Y), 20 * X)
    np.testing.assert_allclose(jax.jit(jax.vmap(product, (0, None)))(X, Y), 20 * X)
    np.testing.assert_allclose(jax.vmap(jax.jit(product), (None, 0))(Y, X), 20 * X)


def test_a_result_that_the_rule_does_not_map_is_not_mapped():
    @custom_vmap
    def f(x, y):
        return x, y

    @f.def_vmap
    def rule(axis_size, in_batched, xs, y):
        assert in_batched == [True, False]
        assert axis_size == 3
        return (xs, y), (True, False)

    first, second = jax.vmap(f, (0, None), (0, None))(X, Y)
    np.testing.assert_allclose(first, X)
    assert second == Y


def test_derivatives_are_those_of_the_function_and_of_the_rule():
    value, slope = jax.jvp(product, (X[1], Y), (np.float32(1.0), np.float32(0.0)))
    assert (value, slope) == (2.0, 2.0)
    mapped = jax.vmap(lambda x, dx: jax.jvp(product, (x, Y), (dx, np.float32(0.0))))
    value, slope = mapped(X, np.ones(3, np.float32))
    np.testing.assert_allclose(value, 20 * X)
    np.testing.assert_allclose(slope, np.full(3, 20.0))
    with pytest.raises(ValueError, match="no derivative in reverse mode"):
        jax.grad(product)(X[1], Y)


def test_both_rules_are_set_on_the_outer_function():
    @jax.custom_vjp
    @custom_vmap
    def f(x):
        return jnp.sin(x)

    f.def_vmap(lambda size, batched, x: (jnp.cos(x), True))
    f.defvjp(lambda x: (f(x), x), lambda x, g: (7.0 * g,))
    np.testing.assert_allclose(jax.vmap(f)(X), np.cos(X), rtol=1e-6)
    assert jax.grad(f)(1.0) == 7.0


def test_a_sequential_function_is_called_for_one_row_after_another():
    seen = []

    @sequential_vmap
    def f(x, y):
        jax.debug.callback(lambda row: seen.append(row.shape), x)
        return x.sum() + y

    rows = np.ones((4, 2), np.float32)
    np.testing.assert_allclose(jax.vmap(f, (0, None))(rows, Y), np.full(4, 4.0))
    jax.effects_barrier()
    assert seen == [(2,)] * 4


def test_wrong_rules_are_said():
    @custom_vmap
    def f(x):
        return x

    with pytest.raises(AttributeError, match="No batching rule defined for custom_vmap function f"):
        f(1.0)
    f.def_vmap(lambda size, batched, x: x)
    with pytest.raises(ValueError, match="must return the output and which"):
        jax.vmap(f)(X)
    f.def_vmap(lambda size, batched, x: (x, (True,)))
    with pytest.raises(ValueError, match="output batching specification returned"):
        jax.vmap(f)(X)
    f.def_vmap(lambda size, batched, x: ((x,), (True,)))
    with pytest.raises(ValueError, match="does not match that of original custom-vmapped function"):
        jax.vmap(f)(X)

    def mapped(x):
        g = custom_vmap(lambda y: x * y)
        g.def_vmap(lambda size, batched, y: (y, True))
        return g(x)

    with pytest.raises(ValueError, match="closes over a value that vmap maps"):
        jax.vmap(mapped)(X)
