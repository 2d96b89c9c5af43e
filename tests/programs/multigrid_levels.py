# category: list-index-by-tracer
import jax
import jax.numpy as jnp


def smooth(u, weight):
    return u + weight * (jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1))


def relax(u, sweeps):
    weights = [0.3 / (k + 1) for k in range(4)]
    body = lambda k, v: smooth(v, weights[k])  #! OAK206  #~ TracerIntegerConversionError
    return jax.lax.fori_loop(0, sweeps, body, u)


print(relax(jnp.arange(5.0), 3))
