# category: leak-attribute
import jax
import jax.numpy as jnp


class Registry:
    pass


registry = Registry()


def sow(name, value):
    setattr(registry, name, value)  #! OAK103


def layer(i, x):
    y = jnp.tanh(x) * (i + 1)
    sow("last", y)
    return y


def deep(x, n=3):
    return jax.lax.fori_loop(0, n, layer, x)


print(deep(jnp.ones(2)))
print(registry.last.sum())  #~ UnexpectedTracerError
