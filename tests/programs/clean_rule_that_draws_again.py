# category: clean/key-reuse
"""A rule that calls its function, and one that repeats what was drawn, draw nothing twice."""

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


x = jnp.ones(3)
print(jax.grad(loss)(x, jax.random.key(0)))
print(jax.jit(jax.grad(loss))(x, jax.random.key(1)))
print(jax.grad(jax.jit(loss))(x, jax.random.key(2)))
