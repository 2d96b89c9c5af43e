# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp

reference = jnp.array([1.0, 2.0])


positive = float(reference.sum()) > 0


@jax.jit
def relative(x):
    scale = reference.max() if positive else 1.0
    return x / scale


def make(a):
    threshold = float(a.mean())

    def gate(x):
        if threshold > 0:
            return jnp.where(x > threshold, x, 0.0)
        return x

    return jax.grad(lambda x: gate(x).sum())


print(relative(reference), make(reference)(reference))
