# category: clean/boolean-mask-index
import jax
import jax.numpy as jnp
import numpy as np

KEEP = np.array([True, False, True])


@jax.jit
def huber(residual, valid):
    small = jnp.abs(residual) < 1.0
    loss = jnp.where(small, 0.5 * residual**2, jnp.abs(residual) - 0.5)
    loss = loss.at[jnp.argmax(loss)].set(0.0)
    loss = loss[KEEP] if loss.shape == KEEP.shape else loss
    return jnp.sum(loss, where=valid[KEEP]) / jnp.maximum(valid.sum(), 1)


residual = jnp.array([0.5, 2.0, -3.0])
print(huber(residual, residual > 0))
print(residual[residual > 0], residual.at[residual < 0].set(0.0))
