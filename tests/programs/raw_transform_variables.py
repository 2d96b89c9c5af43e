# category: raw-transform
import jax
import jax.numpy as jnp
from flax import nnx


class Meter(nnx.Module):
    def __init__(self):
        self.total = nnx.Variable(jnp.zeros(()))
        self.seen = nnx.Variable(jnp.zeros((), jnp.int32))

    def update(self, value):
        self.total[...] += value  #! OAK107 #~ TraceContextError
        self.seen[...] += 1  #! OAK107

    def mean(self):
        return self.total[...] / self.seen[...]


def evaluate(weights, batches):
    meter = Meter()

    def body(carry, batch):
        meter.update(jnp.mean((batch @ weights) ** 2))
        return carry, None

    jax.lax.scan(body, None, batches)
    return meter.mean()


evaluate(jnp.ones(3), jnp.ones((4, 2, 3)))
