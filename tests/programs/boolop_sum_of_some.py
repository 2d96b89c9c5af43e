# category: bool-op-on-tracer
import jax
import jax.numpy as jnp


@jax.jit
def total(scale, bias):
    limit = 2.0
    return sum(part for part in (limit, scale) if part)  #! OAK201 #~ TracerBoolConversionError


total(jnp.float32(1.0), 1.0)
