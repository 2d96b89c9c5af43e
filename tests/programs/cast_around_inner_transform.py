# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp


def step_size(weights):
    shrink = jax.jit(lambda rate: rate * jnp.sum(weights))
    halved = jax.lax.fori_loop(0, 3, lambda i, rate: rate * 0.5, 1.0)
    return float(shrink(0.1)) * halved  #! OAK204  #~ ConcretizationTypeError


def update(weights):
    return weights - step_size(weights)


print(jax.vmap(update)(jnp.ones((4, 3))))
