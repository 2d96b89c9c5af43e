# category: leak-global
import jax
import jax.numpy as jnp

peak = -jnp.inf


def track(level):
    global peak
    peak = jnp.maximum(peak, level)  #! OAK102
    return level - peak


def envelope(levels):
    return jax.lax.map(track, levels)


envelope(jnp.array([1.0, 3.0, 2.0]))
print(jnp.exp(peak))  #~ UnexpectedTracerError
