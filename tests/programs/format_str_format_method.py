# category: format-of-tracer
import jax
import jax.numpy as jnp

TEMPLATE = "epoch {epoch:03d} loss {loss:.4f}"


class ProgressBar:
    def __init__(self, template):
        self.template = template
        self.lines = []

    def emit(self, **fields):
        self.lines.append(self.template.format(**fields))  #! OAK217 #~ TypeError


bar = ProgressBar(TEMPLATE)


@jax.jit
def step(w, x):
    loss = jnp.mean((x @ w) ** 2)
    bar.emit(epoch=1, loss=loss)
    return w - 0.1 * loss


bar.emit(epoch=0, loss=1.0)
print(step(jnp.ones(2), jnp.ones((3, 2))))
