# category: clean/leak-global
import jax
import jax.numpy as jnp

calls = 0
latest = None


@jax.jit
def energy(x):
    global calls
    calls += x.ndim  #? OAK112
    return jnp.sum(x**2)


def measure(x):
    global latest
    latest = energy(x)
    return latest


print([measure(jnp.full(2, v)) for v in (1.0, 2.0)], latest + 1, calls)
