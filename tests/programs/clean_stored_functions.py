# category: clean/leak-closure
import jax
import jax.numpy as jnp

registry = {}
steps = []


def named(name):
    def wrap(function):
        registry[name] = function
        return function

    return wrap


@jax.jit
def forward(x):
    y, size = jnp.sin(x), x.ndim

    @named("scaled")
    def scaled(x, y=1.0):
        return x * y * size

    steps.append(lambda y: registry["scaled"](y=y, x=2.0))
    local = [lambda z: z * y]
    return local[0](scaled(x))


print(forward(1.0), registry["scaled"](3.0), steps[0](2.0))
