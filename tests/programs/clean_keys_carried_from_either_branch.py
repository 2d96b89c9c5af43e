# category: clean/key-reuse
"""Warm starts of a sampler: the chain's key is split where the state is drawn, and in each step."""

import jax
import jax.numpy as jnp


def sample(log_density, key, state=None, count=5):
    if state is None:
        key, start = jax.random.split(key)
        state = jax.random.normal(start, (2,))

    def transition(carry, _):
        position, key = carry
        key, proposal, decision = jax.random.split(key, 3)
        moved = position + 0.5 * jax.random.normal(proposal, position.shape)
        ratio = log_density(moved) - log_density(position)
        accepted = jnp.log(jax.random.uniform(decision)) < ratio
        return (jnp.where(accepted, moved, position), key), position

    (_, key), chain = jax.lax.scan(transition, (state, key), None, length=count)
    return chain, key


def anneal(energy, rng, position=None):
    if position is None:
        rng, first = jax.random.split(rng)
        position = jax.random.uniform(first, (3,))

    def body(step, carry):
        rng, position = carry
        rng, noise = jax.random.split(rng)
        shift = jax.random.normal(noise, position.shape) / (1.0 + step)
        return rng, position - 0.01 * jax.grad(energy)(position) + 0.01 * shift

    return jax.lax.fori_loop(0, 4, body, (rng, position))[1]


def energy(x):
    return jnp.sum(x**2)


print(sample(lambda x: -energy(x), jax.random.key(1))[0].shape, anneal(energy, jax.random.key(2)))
