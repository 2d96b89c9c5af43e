# category: dynamic-shape-op
import jax
import jax.numpy as jnp


@jax.jit
def per_atom(charges, molecules):
    sizes = jnp.bincount(molecules, length=2)
    return charges.repeat(sizes)  #! OAK210 #~ ConcretizationTypeError


print(per_atom(jnp.arange(2.0), jnp.array([0, 0, 1])))
