# category: numpy-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)
TRANSITIONS = rng.dirichlet(np.ones(3), size=3).astype(np.float32)
EMISSIONS = {"mean": np.arange(3.0, dtype=np.float32), "std": np.ones(3, np.float32)}


def step(carry, key):
    state, total = carry
    logits = jnp.log(jnp.asarray(TRANSITIONS)[state])
    state = jax.random.categorical(key, logits)
    noise = jax.random.normal(key)  #? OAK401
    obs = EMISSIONS["mean"][state] + noise  #! OAK207 29 #~ TracerArrayConversionError
    return (state, total + obs), obs


def sample(key, length):
    keys = jax.random.split(key, length)
    return jax.lax.scan(step, (0, 0.0), keys)


print(sample(jax.random.key(3), 4)[1])
