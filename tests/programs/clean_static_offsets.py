# category: clean/traced-slice-bound
import jax
import jax.numpy as jnp


@jax.jit
def unpack(theta, shapes=((2, 2), (3,))):
    parts, start = [], 0
    for shape in ((2, 2), (3,)):
        stop = start + shape[0] * (shape[1] if len(shape) > 1 else 1)
        parts.append(theta[start:stop].reshape(shape))
        start = stop
    half = theta.shape[0] // 2
    return parts, theta[:half], theta[half::2]


print(unpack(jnp.arange(7.0), ()))
