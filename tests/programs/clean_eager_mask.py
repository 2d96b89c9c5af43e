# category: clean/boolean-mask-index
import jax
import jax.numpy as jnp


@jax.jit
def scores(x):
    return jnp.abs(x - x.mean()) / x.std()


def drop_outliers(x, limit=1.2):
    kept = x[scores(x) < limit]
    return kept, kept.shape[0] < x.shape[0]


print(drop_outliers(jnp.array([0.0, 0.1, 0.2, 9.0])))
