# pyright: basic
"""`jax.scipy.optimize.minimize` ends at the minimum of functions that are hard for float32."""

import numpy as np

import oakum as jax
from oakum import numpy as jnp
from oakum.scipy.optimize import minimize


def test_bfgs_finds_the_minimum_of_a_steep_function() -> None:
    """The first update of the inverse Hessian is rounded away beside the identity, if that is not
    scaled first.
    """
    found = minimize(lambda x: jnp.mean((1e4 * x) ** 2), jnp.ones(2), method="BFGS")
    assert found.success
    np.testing.assert_allclose(found.x, np.zeros(2), atol=1e-6)


def test_the_limited_method_takes_functions_of_complex_numbers() -> None:
    goal = jnp.array([1.0, 2.0 - 3.0j, 4.0, -5.0j])

    def f(z: jax.Array) -> jax.Array:
        return jnp.real(jnp.vdot(z - goal, z - goal))

    method = "l-bfgs-experimental-do-not-rely-on-this"
    with jax.numpy_dtype_promotion("strict"):
        found = jax.jit(lambda z: minimize(f, z, method=method).x)(jnp.zeros_like(goal))
    np.testing.assert_allclose(found, goal, atol=1e-5)
