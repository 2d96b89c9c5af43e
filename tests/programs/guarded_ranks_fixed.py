# category: clean/guarded-promotion
import jax
import jax.numpy as jnp
import numpy as np


def centre(rows, scale):
    return (rows - rows.mean(axis=0)) * scale


def centre_by_column(rows):
    return rows - rows.mean(axis=0, keepdims=True)


@jax.jit
def weighted(rows, weights):
    return rows * weights.astype(rows.dtype)


rows, data = jnp.ones((4, 3)), np.ones((4, 3), np.float32)
print(centre(rows, 3.0), rows * data, weighted(rows, data))
with jax.numpy_rank_promotion("raise"), jax.numpy_dtype_promotion("strict"):
    print(centre_by_column(rows), weighted(rows, jnp.ones((4, 3), jnp.bfloat16)), rows * 2)
    with jax.numpy_rank_promotion("allow"):
        print(centre(rows, 1.0))
with jax.transfer_guard("disallow"):
    print(rows @ rows.T, weighted(rows, jax.device_put(data)), data * data)
print(rows + data)
