# category: bool-op-on-tracer
import jax
import jax.numpy as jnp


def better(left, right):
    return jax.vmap(lambda a, b: max(a, b))(left, right)  #! OAK203  #~ TracerBoolConversionError


def running_max(x):
    return jax.lax.associative_scan(better, x)


print(running_max(jnp.array([1.0, 3.0, 2.0])))
