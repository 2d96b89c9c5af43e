# category: clean/numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def rollout(state):
    return jax.lax.scan(lambda s, _: (0.9 * s, jnp.sum(s)), state, None, length=4)


def analyse(starts):
    curves = np.stack([np.asarray(rollout(s)[1]) for s in starts])
    curves[curves < 1.0] = 0.0
    return np.percentile(curves, 50), np.argsort(curves[0])


print(analyse([jnp.ones(2), 2 * jnp.ones(2)]))
