# category: numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np

SQRT_2PI = np.sqrt(2.0 * np.pi)


def silverman(samples):
    """Rule-of-thumb bandwidth."""
    n = samples.shape[0]
    iqr = jnp.subtract(*jnp.percentile(samples, jnp.array([75.0, 25.0])))
    sigma = np.minimum(jnp.std(samples), iqr / 1.34)  #! OAK208 13 #~ TracerArrayConversionError
    return 0.9 * sigma * n ** (-0.2)


def kde(samples):
    h = silverman(samples)

    def density(x):
        z = (x - samples) / h
        return jnp.mean(jnp.exp(-0.5 * z**2)) / (h * SQRT_2PI)

    return density


@jax.jit
def evaluate(samples, grid):
    return jax.vmap(kde(samples))(grid)


print(evaluate(jnp.array([0.1, 0.4, -0.3, 0.2]), jnp.linspace(-1.0, 1.0, 3)))
