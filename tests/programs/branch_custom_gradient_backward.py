# category: python-branch-on-tracer
import jax
import jax.numpy as jnp


@jax.custom_gradient
def clipped(x, low, high):
    def back(g):
        if g.sum() > 0:  #! OAK201 #~ TracerBoolConversionError
            return g, None, None
        return jnp.clip(g, low, high), None, None

    return x, back


@jax.custom_gradient
def doubled(x):
    return x, lambda g: 2.0 * g


def loss(x):
    # Only the first of the pair is the result: neither is given a tuple.
    return jnp.square(clipped(x, -1.0, 1.0)).sum() + jnp.sum(doubled(x))


jax.jit(jax.grad(loss))(jnp.ones(3))
