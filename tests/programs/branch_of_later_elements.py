# category: python-branch-on-tracer
# Whether the first passes is known to nobody, but all the others are asked.
import jax
import jax.numpy as jnp


def positive(rows, threshold):
    first, *_ = rows
    return len([value for value in [threshold, first] if value > 0])  #! OAK201  #~ TracerBoolConversionError


print(jax.vmap(positive, in_axes=(0, None))(jnp.ones((4, 3)), jnp.array(2.0)))
