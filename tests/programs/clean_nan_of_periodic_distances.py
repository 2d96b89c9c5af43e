# category: clean/nan-where-grad
# Kept off zero on the diagonal; and differences that are zero at other elements each.
import jax
import jax.numpy as jnp


def wrapped(positions, box):
    delta = positions[:, None, :] - positions[None, :, :]
    return delta - box * jnp.round(delta / box)


def energy(positions, box):
    eye = jnp.eye(positions.shape[0])
    distance = jnp.sqrt(jnp.sum(wrapped(positions, box) ** 2, axis=-1) + eye)
    return jnp.sum((1.0 - eye) * jnp.maximum(0.0, 1.0 - distance) ** 2)


def crossed(x, y):
    dx = x[:, None] - x[None, :]
    dy = y[:, None, None] - y[None, :, None]
    return jnp.sqrt(dx**2 + dy**2 + 1e-3).sum() + jnp.sum(dx * dy)


print(jax.grad(energy)(jnp.arange(6.0).reshape(3, 2), 2.4))
print(jax.grad(crossed)(jnp.arange(3.0), jnp.ones(3)))
