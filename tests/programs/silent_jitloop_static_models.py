# category: silent/jit-in-loop
# A static argument that is another object each time is compiled for each; one that stays is not.
import jax
import jax.numpy as jnp

traced = []


class Model:
    def __init__(self, width):
        self.width = width

    def loss(self, x):
        traced.append(self.width)  #? OAK112
        return jnp.sum(x[: self.width] ** 2)


def loss(model, x):
    return model.loss(x)


x = jnp.arange(4.0)
for width in (1, 2, 3):
    model = Model(width)
    slope = jax.jit(jax.grad(loss, argnums=1), static_argnums=0)(model, x)
    print(width, slope)

fixed = Model(2)
for rate in (0.1, 0.01):
    x = x - rate * jax.jit(jax.grad(loss, argnums=1), static_argnums=0)(fixed, x)  #! OAK307
print(x)
assert len(traced) == 5
