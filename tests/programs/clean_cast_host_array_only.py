# category: clean/scalar-cast-of-tracer
import jax
import jax.numpy as jnp
import numpy as np


def plain(value):
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return value.item()
    return value


@jax.jit
def scaled(batch):
    factor = plain(batch.get("factor", None))
    return batch["x"] if factor is None else batch["x"] * factor


print(scaled({"x": jnp.ones(3), "factor": jnp.float32(2.0)}), plain(np.array(3.0)))
