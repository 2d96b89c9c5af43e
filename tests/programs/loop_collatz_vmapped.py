# category: python-loop-on-tracer
import jax
import jax.numpy as jnp


def halve_or_triple(n):
    return jnp.where(n % 2 == 0, n // 2, 3 * n + 1)


def stopping_time(n):
    count = jnp.zeros((), jnp.int32)
    while (n := halve_or_triple(n)) != 1:  #! OAK202 11 #~ TracerBoolConversionError
        count = count + 1
    return count


print("single", stopping_time(6))
table = jax.vmap(stopping_time)(jnp.arange(2, 8))
print(dict(enumerate(table.tolist(), start=2)))
