# category: nan-gradient
import jax
import jax.numpy as jnp


def smoothness(z, previous, weight):
    started = ~jnp.any(jnp.isnan(previous), axis=-1)
    change = jnp.mean(jnp.square(z - previous), axis=-1)
    return weight * jnp.where(started, change, 0.0).sum()  #! OAK602


def weighted(w, x):
    return jnp.where(jnp.isfinite(x), w * x, 0.0).sum()  #! OAK602


def normalised(w, total):
    share = w / total.sum()
    return jnp.where(jnp.isnan(share), 0.0, share).sum()  #! OAK602


previous = jnp.array([[1.0, 2.0], [jnp.nan, jnp.nan]])
assert jnp.isnan(jax.grad(smoothness)(jnp.ones((2, 2)), previous, 0.1)[1]).all()
assert jnp.isnan(jax.grad(weighted)(jnp.ones(2), jnp.array([1.0, jnp.nan]))[1])
assert jnp.isnan(jax.grad(normalised)(jnp.zeros(2), jnp.zeros(2))).all()
