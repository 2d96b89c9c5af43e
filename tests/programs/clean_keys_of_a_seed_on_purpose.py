# category: clean/key-reuse
"""Keys of seeds that the code names, where each call is to draw the same, or is the only one."""

import sys

import jax
import jax.numpy as jnp


def eval_step(params, x):
    noise = jax.random.normal(jax.random.key(42), x.shape)
    return jnp.mean((x + noise) * params)


def setup_step(size):
    return jax.random.normal(jax.random.key(0), (size,))


def run_steps(x, count):
    key = jax.random.key(0)
    for _ in range(count):
        key, part = jax.random.split(key)
        x = x + jax.random.normal(part, x.shape)
    return x


class Environment:
    def sample_example(self):
        return jax.random.normal(jax.random.key(0), (2,))


own = sys.modules[__name__]
assert own.eval_step(1.0, jnp.ones(2)) == own.eval_step(1.0, jnp.ones(2))
own.setup_step(2)
own.run_steps(jnp.ones(2), 3)
Environment().sample_example()
