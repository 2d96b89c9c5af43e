# category: clean/key-reuse
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    cell: eqx.nn.GRUCell
    layers: list
    head: eqx.nn.Linear
    norm: eqx.nn.LayerNorm

    def __init__(self, width, depth, *, key):
        key, cell_key, head_key = jax.random.split(key, 3)
        self.cell = eqx.nn.GRUCell(2, width, key=cell_key)
        self.layers = [
            eqx.nn.Linear(width, width, key=sub) for sub in jax.random.split(key, depth)
        ]
        self.head = eqx.nn.Linear(width, 1, key=head_key)
        self.norm = eqx.nn.LayerNorm(width)

    def __call__(self, xs):
        h, _ = jax.lax.scan(lambda h, x: (self.cell(x, h), None), jnp.zeros(4), xs)
        for layer in self.layers:
            h = jax.nn.relu(layer(h))
        return self.head(self.norm(h))


nets = [Net(4, 2, key=jax.random.key(seed)) for seed in range(2)]
print([net(jnp.ones((3, 2))) for net in nets])
