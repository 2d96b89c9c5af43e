# category: clean/numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np


def total(values, rows):
    library = type(values).__module__.partition(".")[0]
    if library != "numpy":
        return jnp.stack([values[row] for row in rows]).sum(axis=0)
    # NumPy's way: no tracer gets here.
    out = np.empty(len(rows))
    for number, row in enumerate(rows):
        if values[row] > 0:
            out[number] = values[row]
    return np.sum(out)


rows = (0, 2)
print(jax.jit(lambda x: total(x, rows))(jnp.ones(3)), total(np.ones(3), rows))
