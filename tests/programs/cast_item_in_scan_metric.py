# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp
from jax import lax


class Metrics:
    """Accumulates python floats on the host."""

    def __init__(self, names):
        self.names = names

    def summarize(self, values):
        return {name: v.item() for name, v in zip(self.names, values)}  #! OAK204 #~ ConcretizationTypeError


metrics = Metrics(("loss", "norm"))


def epoch(w, batches):
    def body(w, batch):
        loss, g = jax.value_and_grad(lambda w: jnp.mean((batch @ w) ** 2))(w)
        summary = metrics.summarize((loss, jnp.linalg.norm(g)))
        return w - 0.1 * g, summary

    return lax.scan(body, w, batches)


print(metrics.summarize(jnp.ones(2)))
print(epoch(jnp.ones(3), jnp.ones((2, 4, 3))))
