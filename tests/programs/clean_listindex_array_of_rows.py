# category: clean/list-index-by-tracer
import jax
import jax.numpy as jnp

ROWS = [jnp.array([1.0, 2.0]), jnp.array([3.0, 4.0])]
STACKED = jnp.stack(ROWS)


@jax.jit
def gather(ids, layers):
    table = jnp.stack(layers)
    picked = table[ids] + STACKED[ids]
    shape = ids.shape
    first, *rest = layers
    head = (first,) + tuple(rest)
    return picked[..., 0] + head[len(shape) - 1][0] + head[-1][ids.ndim]


def sweep(x):
    def body(i, acc):
        return acc + STACKED[i].sum()

    return jax.lax.fori_loop(0, len(ROWS), body, x)


print(gather(jnp.array([0, 1]), ROWS), sweep(0.0))
