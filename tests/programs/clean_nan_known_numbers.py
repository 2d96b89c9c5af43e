# category: clean/nan-where-grad
import jax
import jax.numpy as jnp


def energy(x, weights):
    spread = jnp.std(x * weights)
    rms = jnp.sqrt(jnp.mean((x - 2.0) ** 2))
    return spread + rms + jnp.linalg.norm(x - weights) + jnp.sum(x**2 + 1.0) ** 0.5


def penalty(w):
    return jnp.linalg.norm(w, ord=1) + jnp.sqrt(jnp.var(w) + 1e-6) + jnp.sqrt(jnp.sum(w**2) + 1e-6)


def selected(x):
    rest = jnp.select([x > 0, x <= 0], [x**2, -x])
    return jnp.sum(rest) + jnp.nan_to_num(x).sum()


print(jax.grad(energy)(jnp.ones(3), jnp.arange(3.0)))
print(jax.grad(penalty)(jnp.zeros(3)))
print(jax.grad(selected)(jnp.array([-1.0, 0.0])))
