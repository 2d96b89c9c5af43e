# category: silent/key-reuse
import jax
import jax.numpy as jnp


def draw(pair):
    return jax.random.normal(pair[0])


def both(key):
    pair = (key, 3)
    a = draw(pair)
    b = draw(pair)  #! OAK401
    return a + b


print(both(jax.random.key(0)))
