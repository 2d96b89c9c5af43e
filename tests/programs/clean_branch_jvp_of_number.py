# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


@jax.jit
def nudge(x):
    # The function gives back what it was given: a number that tracing knows.
    step, _ = jax.jvp(lambda size: size, (0.25,), (1.0,))
    return x + step if step > 0 else x


nudge(jnp.ones(3))
