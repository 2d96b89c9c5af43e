# category: silent/nan-where-grad
import jax
import jax.numpy as jnp


def masked(logits, legal):
    return jax.nn.softmax(jnp.where(legal, logits, -jnp.inf))


def entropy(p):
    return -jnp.sum(jnp.where(p > 0, p * jnp.log(p), 0.0))  #! OAK602


def shares(x, unused):
    p = x / x.sum()
    return jnp.where(p > 0, p * jnp.log(p), unused).sum()  #! OAK602


theta, legal = jnp.ones((3, 4)), jnp.array([True, True, False, True])
slope = jax.grad(lambda theta: entropy(masked(jnp.ones(3) @ theta, legal)))(theta)
assert bool(jnp.isnan(slope).any())
assert bool(jnp.isnan(jax.grad(shares)(jnp.array([1.0, 0.0]), float("-inf"))).any())
