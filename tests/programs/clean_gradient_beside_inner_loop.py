# category: clean/irreversible-loop
import jax
import jax.numpy as jnp
from jax import lax


def triangle_sum(density, phases):
    size = density.shape[0]

    def row(total, i):
        def column(j, total):
            return total + jnp.where(j <= i, density[i, j] * jnp.cos((i - j) * phases), 0.0)

        return lax.fori_loop(0, size, column, total), None

    return lax.scan(row, jnp.zeros_like(phases), jnp.arange(size))[0]


def rank_of_rows(fixed):
    def row(total, i):
        return lax.fori_loop(0, i + 1, lambda j, total: total + fixed[j], total), None

    return lax.scan(row, jnp.zeros(()), jnp.arange(fixed.shape[0]))[0]


def loss(state, fixed):
    phases = jnp.linspace(0.0, 3.0, 5)
    density = jnp.outer(state, state)
    return jnp.sum(triangle_sum(density, phases) ** 2) * rank_of_rows(fixed)


print(jax.grad(loss)(jnp.arange(1.0, 5.0), jnp.arange(3.0)))
