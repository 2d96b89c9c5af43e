# category: clean/unhashable-static-argument
import functools
import sys

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnums=(2, 3))
def stratified_depths(near, far, count, seed):
    rng = jax.random.PRNGKey(seed)
    edges = jnp.linspace(near, far, count + 1)
    shift = jax.random.uniform(rng, (count,))
    return edges[:-1] + shift * (edges[1:] - edges[:-1])


@functools.partial(jax.jit, static_argnums=(0, 1))
def midpoints(count, rng):
    rng = jax.random.PRNGKey(rng)
    return jnp.sort(jax.random.uniform(rng, (count,)))


def main(name):
    chosen = getattr(sys.modules[__name__], name)
    print(chosen(2.0, 6.0, 8, 0), midpoints(8, 1))


main("_".join(["stratified", "depths"]))
