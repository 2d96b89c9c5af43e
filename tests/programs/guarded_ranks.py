# category: guarded-promotion
import jax
import jax.numpy as jnp


def centre(rows, scale):
    return (rows - rows.mean(axis=0)) * scale  #! OAK507 #~ ValueError


rows = jnp.ones((4, 3))
with jax.numpy_rank_promotion("raise"):
    print(rows * 2.0 + rows.sum())
    print(centre(rows, 3.0))
