# category: clean/impure-global-read
import jax
import jax.numpy as jnp

SCALE = 1.0


@jax.jit
def scaled(tree):
    return jax.tree.map(lambda leaf: leaf * SCALE, tree)


first = scaled({"w": jnp.ones(3)})
SCALE = 2.0
second = scaled({"w": jnp.ones(4)})
SCALE = 3.0
third = scaled({"v": jnp.ones(3)})
SCALE = 4.0
fourth = scaled([jnp.ones(3)])
SCALE = 5.0
fifth = scaled((jnp.ones(3, int),))
print(first, second, third, fourth, fifth)
