# category: clean/key-reuse
import jax
import jax.numpy as jnp


class Archive:
    def __init__(self, size):
        start = jnp.zeros(3)

        def parents(key, filled, params):
            next_key, draw, change = jax.random.split(key, 3)
            chosen = jax.lax.cond(
                filled.sum() > 0,
                lambda: jnp.take(
                    params, jax.random.choice(draw, jnp.arange(filled.size), (2 * size,)), axis=0
                ),
                lambda: start + jax.random.normal(draw, (2 * size, 3)),
            )
            return next_key, change, chosen.reshape(2, size, -1)

        self.parents = jax.jit(parents)


archive = Archive(4)
print(archive.parents(jax.random.key(0), jnp.ones(5), jnp.ones((5, 3))))
