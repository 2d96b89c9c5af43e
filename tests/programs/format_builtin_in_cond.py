# category: format-of-tracer
import jax
import jax.numpy as jnp


def label(value):
    return format(value, ".2f")  #! OAK217 #~ TypeError


def on_large(x):
    tag = label(x.sum())
    return x / len(tag)


def on_small(x):
    return x


def rescale(x):
    return jax.lax.cond(x.sum() > 10.0, on_large, on_small, x)


print(label(2.0))
print(rescale(jnp.arange(6.0)))
