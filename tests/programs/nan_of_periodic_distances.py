# category: silent/nan-gradient
# What is zero on the diagonal stays so when it is wrapped, scaled, squared and summed.
import jax
import jax.numpy as jnp


def wrapped(positions, box):
    delta = positions[:, None, :] - positions[jnp.newaxis, :, :]
    return delta - box * jnp.round(delta / box)


def energy(positions, box):
    distance = jnp.sqrt(jnp.sum(wrapped(positions, box) ** 2, axis=-1))  #! OAK602
    mask = 1.0 - jnp.eye(positions.shape[0])
    return jnp.sum(mask * jnp.maximum(0.0, 1.0 - distance) ** 2)


def spread(x, y):
    dx = x[:, None] - x[None, :]
    dy = y[:, None] - y[None, :]
    return jnp.sqrt(dx**2 + dy**2).sum()  #! OAK602


print(jax.grad(energy)(jnp.arange(6.0).reshape(3, 2), 2.4))
print(jax.grad(spread)(jnp.arange(3.0), jnp.ones(3)))
