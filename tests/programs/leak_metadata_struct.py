# category: silent/leak-metadata
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Progress:
    weights: jax.Array
    best: jax.Array = struct.field(pytree_node=False)  #? OAK106

    def improved(self, loss):
        return self.replace(best=jnp.minimum(self.best, loss))


def loss(weights, batch):
    return jnp.mean((batch @ weights - 1.0) ** 2)


@jax.jit
def step(progress, batch):
    value, gradient = jax.value_and_grad(loss)(progress.weights, batch)
    progress = progress.replace(weights=progress.weights - 0.1 * gradient)
    return progress.improved(value)  #! OAK106


start = Progress(jnp.zeros(3), float("inf"))
end = step(start, jnp.ones((4, 3)))
assert end.weights.shape == (3,)
assert isinstance(end.best, jax.core.Tracer)
