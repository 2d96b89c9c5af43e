# category: silent/unrolled-loop
import jax
import jax.numpy as jnp

TERMS = 128


@jax.jit
def series(x):
    parts = [jnp.sin(x * k) / k for k in range(1, TERMS + 1)]  #! OAK710
    return sum(parts)


print(series(0.5))
