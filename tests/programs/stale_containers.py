# category: silent/stale-object
import jax
import jax.numpy as jnp
import numpy as np

layers = [jnp.sin]
weights = np.ones(3, dtype=np.float32)
options = {"scale": 1.0}


class Table:
    def __init__(self):
        self.values = np.zeros(3, dtype=np.float32)

    def set(self, position, value):
        self.values[position] = value  #! OAK114


table = Table()


@jax.jit
def forward(x):
    for layer in layers:  #! OAK113
        x = layer(x)
    return x


@jax.jit
def weigh(x):
    return jnp.sum(x * weights) * options["scale"]  #! OAK113


@jax.jit
def shift(x):
    return x + table.values


x = jnp.ones(3)
print(forward(x), weigh(x), shift(x))
layers.append(jnp.exp)
weights[1:] = 0.0  #! OAK114
options.update(scale=2.0)
table.set(0, 5.0)
print(forward(x), weigh(x), shift(x))
