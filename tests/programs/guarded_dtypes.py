# category: guarded-promotion
import jax
import jax.numpy as jnp


@jax.jit
def weighted(rows, weights):
    return rows * weights  #! OAK508 #~ TypePromotionError


rows = jnp.ones((4, 3))
print(weighted(rows, 2.0), rows + 1)
with jax.numpy_dtype_promotion("strict"):
    print(rows + 1)
    print(weighted(rows, jnp.full((4, 3), 0.5, dtype=jnp.bfloat16)))
