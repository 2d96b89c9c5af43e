# category: clean/nan-gradient
import jax
import jax.numpy as jnp


def loss(w, x, observed):
    missing = jnp.isnan(observed)
    filled = jnp.where(missing, 0.0, observed)
    squares = jnp.where(missing, 0.0, (w * x - filled) ** 2)
    return jnp.mean(squares) + jnp.where(missing, 0.0, w * x - observed).sum()


def counted(w, observed):
    known = jnp.sum(~jnp.isnan(observed))
    return jnp.where(jnp.isnan(observed), 0.0, jnp.nan_to_num(observed) * w).sum() / known


def mean_of(w, x, observed):
    errors = jnp.where(jnp.isnan(observed), 0.0, w * x - observed)
    return jnp.mean(errors**2)


def doubled(w, observed):
    twice = 2.0 * w
    return jnp.where(jnp.isnan(twice), 0.0, twice * 3).sum()


observed = jnp.array([0.0, jnp.nan, 2.0])
x = jnp.arange(3.0)
for gradient in (
    jax.grad(loss)(jnp.ones(3), x, observed),
    jax.grad(counted)(jnp.ones(3), observed),
    jax.grad(mean_of)(jnp.ones(3), x, observed),
    jax.grad(doubled)(jnp.array([1.0, jnp.nan, 2.0]), observed),
):
    assert jnp.isfinite(gradient).all()
