# category: clean/python-branch-on-tracer
import equinox as eqx
import jax
import jax.numpy as jnp


class Model(eqx.Module):
    weight: jax.Array
    steps: jax.Array
    depth: int
    scale: float
    bias: jax.Array | None = None

    def __call__(self, x):
        for _ in range(self.depth):
            x = jnp.sin(self.weight * x)
        if self.bias is not None:
            x = x + self.bias
        return x * self.scale if self.scale > 1 else x


model = Model(jnp.ones(2), jnp.array(3), 2, 2.0)
params, static = eqx.partition(model, eqx.is_inexact_array)


@jax.jit
def loss(params, x):
    model = eqx.combine(params, static)
    # What is no inexact array has stayed outside.
    return model(x).sum() * int(model.steps)


print(jax.grad(loss)(params, jnp.ones(2)).weight)
print(eqx.combine(params, static).depth)
