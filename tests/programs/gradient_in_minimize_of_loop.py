# category: irreversible-loop
import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.optimize import minimize


def decay(rates, steps):
    return lax.fori_loop(0, steps, lambda i, x: x - 0.1 * rates * x, jnp.ones_like(rates))  #! OAK604


@jax.jit
def fit(rates, steps, target):
    def misfit(rates, scale):
        return scale * jnp.sum((decay(rates, steps) - target) ** 2)

    return minimize(misfit, rates, args=(2.0,), method="BFGS").x  #~ ValueError


print(fit(jnp.array([0.5, 0.2]), 10, jnp.array([0.3, 0.4])))
