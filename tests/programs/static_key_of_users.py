# category: unhashable-static-argument
import functools
import sys

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnums=(2, 3))  #! OAK304
def stratified_depths(near, far, count, rng):
    edges = jnp.linspace(near, far, count + 1)
    shift = jax.random.uniform(rng, (count,))
    return edges[:-1] + shift * (edges[1:] - edges[:-1])


def main(name):
    chosen = getattr(sys.modules[__name__], name)
    print(chosen(2.0, 6.0, 8, jax.random.PRNGKey(0)))  #~ ValueError


main("_".join(["stratified", "depths"]))
