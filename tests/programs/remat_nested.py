# category: traced-shape
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.checkpoint, static_argnums=(1,))
def block(x, width, count):
    return jnp.tanh(x).reshape(width, -1) @ jnp.eye(count)  #! OAK211  #~ TypeError


def net(x, count):
    return jnp.sum(block(x, 2, count))


print(jax.jit(jax.grad(net))(jnp.ones(4), 2))
