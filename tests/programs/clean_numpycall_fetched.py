# category: clean/numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np

TABLE = jnp.array([1.0, 2.0, 4.0])


@jax.jit
def scale(x):
    # What no tracer is can be fetched under tracing, and stays on the host.
    host = jax.device_get(TABLE)
    largest = float(np.max(host))
    if (host > 3.0).any():
        largest = 2.0 * largest
    ready = jax.block_until_ready({"x": x, "n": 3})
    return ready["x"] * largest * float(ready["n"])


print(scale(jnp.ones(2)))
