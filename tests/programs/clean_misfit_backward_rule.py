# category: clean/shape-mismatch
from functools import partial

import jax
import jax.numpy as jnp


@jax.custom_vjp
def bounded(x):
    return x


bounded.defvjp(lambda x: (x, None), lambda _, slope: (jnp.clip(slope, -1.0, 1.0),))


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def rounded(x, steps):
    return jnp.round(x * steps) / steps


def rounded_forward(x, steps):
    return rounded(x, steps), ()


def rounded_backward(steps, _, slope):
    return [slope]


rounded.defvjp(rounded_forward, rounded_backward)


@jax.custom_vjp
def gathered(table, rows, pair):
    return table[rows] * pair[0] + pair[1]


def gathered_forward(table, rows, pair=(1.0, 0.0)):
    return gathered(table, rows, pair), (table, rows, pair)


def gathered_backward(kept, slope):
    table, rows, pair = kept
    back = jnp.zeros_like(table).at[rows].add(slope * pair[0])
    return back, None, (jnp.sum(slope * table[rows]), None)


gathered.defvjp(gathered_forward, gathered_backward)


@jax.custom_jvp
def softened(x, sharpness):
    return jnp.tanh(x * sharpness)


@softened.defjvp
def softened_tangent(primals, tangents, *more):
    x, sharpness = primals
    return softened(x, sharpness), tangents[0] * sharpness


def mistake(weights, rows):
    h = rounded(bounded(weights), 16.0)
    return jnp.sum(softened(gathered(h, rows, (2.0, 1.0)), 0.5) ** 2)


rows = jnp.array([0, 2])
print(jax.grad(mistake)(jnp.eye(3), rows))
print(jax.jit(jax.vmap(jax.grad(mistake), in_axes=(0, None)))(jnp.ones((2, 3, 3)), rows))
