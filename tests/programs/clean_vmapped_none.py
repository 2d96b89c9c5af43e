# category: clean/scalar-cast-of-tracer
import jax
import jax.numpy as jnp


def window(signal, width):
    radius = int(width) // 2
    padded = jnp.pad(signal, radius)
    return sum(padded[k : k + signal.shape[0]] for k in range(2 * radius + 1)) / float(width)


batched = jax.vmap(window, in_axes=(0, None))
print(batched(jnp.ones((2, 5)), 3))
