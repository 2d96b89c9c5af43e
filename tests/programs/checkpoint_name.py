# category: format-of-tracer
import jax
import jax.numpy as jnp


def tag(step, metric):
    name = "ckpt-%06d" % step  #! OAK217  #~ TypeError
    return {name: metric}


def evaluate(step, x):
    return tag(step + 1, jnp.mean(x))


print(jax.jit(evaluate)(10, jnp.ones(3)))
