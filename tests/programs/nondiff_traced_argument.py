# category: traced-static-argument
import functools

import jax
import jax.numpy as jnp


class Clip:
    @staticmethod
    @functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
    def apply(x, limit):
        return x

    @staticmethod
    def forward(x, limit):
        return x, None

    @staticmethod
    def backward(limit, _, g):
        return (jnp.clip(g, -limit, limit),)


clip = Clip.apply
clip.defvjp(Clip.forward, Clip.backward)
print(clip(jnp.ones(3), 0.1), jax.grad(lambda x: clip(x, 0.1).sum())(jnp.ones(3)))


@jax.jit
def loss(x, limit):
    return clip(x, 2.0 * limit).sum()  #! OAK302  #~ UnexpectedTracerError


print(loss(jnp.ones(3), 0.1))
