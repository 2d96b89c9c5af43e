# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp

OFFSETS = jnp.array([0.0, 1.0, -1.0])


@jax.jit
def shifted(x):
    total = x
    for offset in OFFSETS:
        total = total + round(float(offset), 1)  #! OAK204  #~ ConcretizationTypeError
    return total


print(shifted(jnp.ones(2)))
