# category: clean/grad-type
import jax
import jax.numpy as jnp


def weight(x, heavy):
    result = 2.0 * x
    if not heavy:
        result = len([1, 2])
    return result


def count(x, heavy):
    order = x if heavy else 3
    return jax.grad(lambda y: y * 2.0)(order)


print(jax.grad(weight)(1.0, jnp.array(True)))
print(count(1.0, jnp.array(True)))
