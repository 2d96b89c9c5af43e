# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp

reference = jnp.array([1.0, 2.0])


@jax.jit
def relative(x):
    scale = reference.max() if float(reference.sum()) > 0 else 1.0  #! OAK204  #~ ConcretizationTypeError
    return x / scale


print(relative(reference))
