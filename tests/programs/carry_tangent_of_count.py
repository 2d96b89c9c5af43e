# category: dtype-mismatch
import jax
import jax.numpy as jnp


def area(sides):
    return sides[0] * sides[1] * 0.5


print(jax.jvp(area, (jnp.array([2.0, 3.0]),), (jnp.ones(2),)))
print(jax.jvp(area, (jnp.array([2, 3]),), (jnp.ones(2),)))  #! OAK502 #~ TypeError
