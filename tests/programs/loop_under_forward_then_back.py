# category: reverse-through-loop
"""A gradient of a forward derivative goes back through the loop; two forward ones do not."""

import jax
import jax.numpy as jnp
from jax import lax


def doubled(x):
    return lax.while_loop(lambda c: c < 10.0, lambda c: c * 2.0, x)


def settled(x):
    return lax.while_loop(lambda c: c > 1.0, lambda c: jnp.sqrt(c) - 0.5, x)  #! OAK604


def slope(x):
    return jax.jvp(settled, (x,), (1.0,))[1]


print(jax.jacfwd(jax.jacfwd(doubled))(1.0))
print(jax.jvp(doubled, (1.0,), (1.0,)))
print(jax.grad(slope)(jnp.float32(4.0)))  #~ ValueError
