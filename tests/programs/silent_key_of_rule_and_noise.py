# category: silent/key-reuse
"""The function under the rule draws with the key that its argument was drawn with."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def sample(logits, key):
    key_fwd, _ = jax.random.split(key)
    return logits + jax.random.normal(key_fwd, logits.shape)


def forward(logits, key):
    return sample(logits, key), (logits, key)


def backward(residuals, g):
    logits, key = residuals
    key_fwd, key_bwd = jax.random.split(key)
    again = logits + jax.random.normal(key_fwd, logits.shape)
    return g * again + jax.random.normal(key_bwd, logits.shape), None


sample.defvjp(forward, backward)


def loss(logits, key):
    return jnp.sum(sample(logits, key))


key = jax.random.key(3)
noise = jax.random.normal(key, (3,))
print(jax.grad(loss)(noise, key))  #! OAK401
