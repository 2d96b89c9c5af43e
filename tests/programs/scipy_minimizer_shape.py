# category: traced-shape
"""A spectrum is fitted by SciPy: what goes to the objective by `args` is traced there."""

import jax
import jax.numpy as jnp
import numpy as np
from scipy.optimize import minimize

STATIC = ("order",)


def misfit(coefficients, spectrum, order, grid):
    basis = jnp.ones(grid) * coefficients[0]  #! OAK211 #~ TypeError
    return jnp.sum((spectrum - basis) ** order)


def misfit_by_shape(coefficients, spectrum, order, grid):
    basis = jnp.ones(spectrum.shape) * coefficients[0] + grid[0]
    return jnp.sum((spectrum - basis) ** order)


def solve(objective, start, args):
    objective = jax.jit(jax.value_and_grad(objective), static_argnames=STATIC)
    return minimize(objective, start, args=args, jac=True, options={"maxiter": 2})


spectrum = jnp.ones(4)
solve(misfit_by_shape, np.zeros(1), (spectrum, 2, (0, 4)))
solve(misfit, np.zeros(1), (spectrum, 2, (4,)))
