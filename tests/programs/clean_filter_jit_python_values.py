# category: clean/range-of-tracer
"""equinox.filter_jit keeps Python numbers, strings and functions static; only arrays are traced."""

from typing import Callable

import equinox as eqx
import jax
import jax.numpy as jnp


class Unrolled(eqx.Module):
    weight: jax.Array
    depth: int
    activation: Callable
    names: list[str] = eqx.field(static=True)

    def __call__(self, x, scale):
        for i in range(self.depth):
            x = self.activation(self.weight @ x)
            if self.names[i] == "double":
                x = x * 2
        return x * scale if scale > 1 else x


@eqx.filter_jit
def run(model, x, repeats, mode="mean", scale=2):
    for _ in range(repeats):
        x = model(x, scale)
    pad = jnp.zeros(repeats)
    return getattr(jnp, mode)(x) + pad.sum() if mode in ("mean", "sum") else x


model = Unrolled(jnp.eye(2), 2, jnp.tanh, ["single", "double"])
print(run(model, jnp.ones(2), 3), run(model, jnp.ones(2), 1, mode="sum", scale=1))


@eqx.filter_grad
def loss(model, x):
    return jnp.sum(model(x, 1))


print(jax.tree.map(jnp.shape, eqx.filter(loss(model, jnp.ones(2)), eqx.is_array)).weight)
