# category: silent/impure-global-read
import jax
import jax.numpy as jnp

LEVEL = 1
RATE = 0.1


def choose(level):
    global LEVEL
    LEVEL = level


@jax.jit
def maze(key):
    return jax.random.bernoulli(key, 0.1 * LEVEL, (6, 6))  #! OAK113


@jax.jit
def descend(params, *, batch):
    inputs, targets = batch
    error = params["w"] * inputs - targets
    return {"w": params["w"] - RATE * error * inputs}  #! OAK113


def density(level, seed):
    choose(level)
    return maze(jax.random.key(seed)).mean()


easy, hard = density(1, 0), density(9, 1)
params = {"w": jnp.ones(3)}
for RATE in (0.1, 0.01):
    params = descend(params, batch=(jnp.ones(3), 0.0))
print(easy, hard, params)
