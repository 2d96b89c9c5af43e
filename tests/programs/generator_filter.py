# category: python-branch-on-tracer
import jax
import jax.numpy as jnp


@jax.jit
def total(x):
    return sum(part for part in [x, 2.0, x] if part)  #! OAK201  #~ TracerBoolConversionError


@jax.jit
def others(x):
    numbers = [part for part in [2.0, x] if isinstance(part, float) if part > 1.0]
    return x + sum(numbers)


@jax.jit
def first_found(x):
    return x + next(part for part in [2.0, x] if part)


print(others(jnp.float32(1.0)), first_found(jnp.float32(1.0)))
print(total(jnp.float32(1.0)))
