# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


class EarlyStopping:
    """Host code: `loss` is a jax.Array, never a tracer."""

    def __init__(self, patience: int = 2):
        self.patience = patience
        self.best = jnp.inf
        self.bad = 0

    def update(self, loss: jax.Array) -> bool:
        if loss < self.best:
            self.best, self.bad = loss, 0
        else:
            self.bad += 1
        return self.bad >= self.patience and not jnp.isnan(loss)


@jax.jit
def loss_fn(w: jax.Array) -> jax.Array:
    return jnp.sum((w - 1.0) ** 2)


stopper = EarlyStopping()
w = jnp.zeros(2)
for lr in (0.5, 0.4, 0.0, 0.0, 0.0):
    w = w - lr * jax.grad(loss_fn)(w)
    if stopper.update(loss_fn(w)):
        print("stop", float(stopper.best) if stopper.best > 0 else 0.0)
        break
