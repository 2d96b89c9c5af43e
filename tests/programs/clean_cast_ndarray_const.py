# category: clean/scalar-cast-of-tracer
import math

import jax
import jax.numpy as jnp
import numpy as np

TABLE = np.array([1.0, 2.0, 4.0])
STEP = jnp.float32(0.25)
RATE = float(STEP)


@jax.jit
def discounted(rewards):
    gamma = float(TABLE[1] / TABLE.sum())
    n = int(np.log2(TABLE[2])) + int(TABLE.shape[0])
    powers = [math.pow(gamma, k) for k in range(n)]
    total = sum(p * r for p, r in zip(powers, rewards))
    return total * RATE + complex(0, 1).imag * rewards.dtype.itemsize


def linear_part(f, x):
    value, jvp = jax.linearize(f, x)
    return float(value), float(jvp(jnp.ones_like(x)))


print(discounted(jnp.ones(4)), linear_part(lambda x: jnp.sum(x**2), jnp.ones(3)))
