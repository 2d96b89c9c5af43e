# category: leak-closure
import jax
import jax.numpy as jnp
import numpy as np


def metropolis(logp, key, x0, n):
    accepted = jnp.int32(0)

    def step(x, key):
        nonlocal accepted
        k1, k2 = jax.random.split(key)
        prop = x + 0.5 * jax.random.normal(k1, x.shape)
        accept = jnp.log(jax.random.uniform(k2)) < logp(prop) - logp(x)
        accepted = accepted + accept  #! OAK104
        x = jnp.where(accept, prop, x)
        return x, x

    _, chain = jax.lax.scan(step, x0, jax.random.split(key, n))
    return chain, accepted


chain, accepted = metropolis(lambda x: -0.5 * jnp.sum(x**2), jax.random.key(0), jnp.zeros(2), 5)
print(np.asarray(chain).shape)
print(accepted / 5)  #~ UnexpectedTracerError
