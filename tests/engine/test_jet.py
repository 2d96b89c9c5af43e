# pyright: basic
"""`jax.experimental.jet.jet` gives the derivatives along a curve that JAX gives."""

import importlib

import numpy as np
import pytest

import oakum
from oakum import numpy as jnp
from oakum.experimental.jet import jet

RNG = np.random.default_rng(3)
X = RNG.uniform(0.2, 1.5, (2, 3)).astype("f")
SERIES = [RNG.normal(size=(2, 3)).astype("f") for _ in range(3)]

FUNCTIONS = {
    "sin": lambda j, x: j.numpy.sin(x),
    "product": lambda j, x: x * j.numpy.exp(-x),
    "quotient": lambda j, x: (x + 1) / (x * x + 2),
    "matrix": lambda j, x: j.numpy.tanh(x @ x.T),
    "softmax": lambda j, x: j.nn.softmax(x),
    "two results": lambda j, x: (x.sum(), x**3),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("scaled", [True, False])
def test_the_derivatives_are_those_of_jax(name, scaled):
    jax = pytest.importorskip("jax")
    theirs = importlib.import_module("jax.experimental.jet").jet
    function = FUNCTIONS[name]
    found = jet(lambda x: function(oakum, x), (X,), (SERIES,), factorial_scaled=scaled)
    wanted = theirs(lambda x: function(jax, x), (X,), (SERIES,), factorial_scaled=scaled)
    assert str(oakum.tree.structure(found)) == str(jax.tree.structure(wanted))
    for own, other in zip(oakum.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(own, other, rtol=2e-3, atol=2e-3)


def test_the_chain_rule_of_faa_di_bruno():
    x = 0.5
    value, (first, second) = oakum.jit(lambda: jet(jnp.sin, (x**3,), ((3 * x**2, 6 * x),)))()
    np.testing.assert_allclose(value, np.sin(x**3), rtol=1e-6)
    np.testing.assert_allclose(first, np.cos(x**3) * 3 * x**2, rtol=1e-6)
    second_by_hand = -np.sin(x**3) * 9 * x**4 + np.cos(x**3) * 6 * x
    np.testing.assert_allclose(second, second_by_hand, rtol=1e-5)


def test_a_loop_has_the_derivatives_of_its_steps():
    """JAX has no rule for loops."""

    def loop(x):
        return oakum.lax.fori_loop(0, 3, lambda i, v: jnp.sin(v) + 0.1 * v, x)

    def steps(x):
        for _ in range(3):
            x = jnp.sin(x) + 0.1 * x
        return x

    found, wanted = jet(loop, (X,), (SERIES,)), jet(steps, (X,), (SERIES,))
    for own, other in zip(oakum.tree.leaves(found), oakum.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(own, other, rtol=1e-4, atol=1e-4)


def test_series_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="inconsistent lengths"):
        jet(jnp.add, (X, X), (SERIES, SERIES[:1]))
    with pytest.raises(ValueError, match="term for argument 0 has another structure"):
        jet(jnp.sin, (X,), ([X[0]],))
