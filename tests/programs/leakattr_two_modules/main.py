# category: leak-attribute
import jax
import jax.numpy as jnp

from model_parts import Encoder, Normalizer

encoder = Encoder(jnp.eye(2), Normalizer())


def loss(x):
    return jnp.sum(encoder(x) ** 2)


print(jax.jit(jax.grad(loss))(jnp.ones((3, 2))))
print(encoder.normalizer.denormalize(jnp.zeros(2)))
