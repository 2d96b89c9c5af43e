# category: bool-op-on-tracer
import jax
import jax.numpy as jnp


def stop(values, limit):
    # Mapped, the first is concrete and false, so that the second is asked, which is not.
    return any([jnp.float32(limit) > 2.0, values.sum() > limit])  #! OAK203 #~ TracerBoolConversionError


print(stop(jnp.ones(3), 1.0))
jax.vmap(stop, in_axes=(0, None))(jnp.ones((4, 3)), 1.0)
