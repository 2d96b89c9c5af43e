# category: irreversible-loop
import jax
import jax.numpy as jnp
from jax import lax


def triangle_sum(density, phases):
    size = density.shape[0]

    def row(total, i):
        def column(j, total):
            return total + density[i, j] * jnp.cos((i - j) * phases)

        return lax.fori_loop(0, i + 1, column, total), None  #! OAK604

    return lax.scan(row, jnp.zeros_like(phases), jnp.arange(size))[0]


def loss(state):
    phases = jnp.linspace(0.0, 3.0, 5)
    return jnp.sum(triangle_sum(jnp.outer(state, state), phases) ** 2)


slopes = jax.grad(loss)(jnp.arange(1.0, 5.0))  #~ ValueError
print(slopes)
