# category: python-branch-on-tracer
import collections

import jax
import jax.numpy as jnp


class Bus:
    handlers = collections.defaultdict(list)

    @classmethod
    def on(cls, name):
        def add(function):
            cls.handlers[name].append(function)
            return function

        return add

    @classmethod
    def fire(cls, name, *values):
        for function in cls.handlers[name]:
            values = function(*values)
        return values


@Bus.on("update")
def clipped(gradient, limit):
    norm = jnp.linalg.norm(gradient)
    if norm > limit:  #! OAK201 #~ TracerBoolConversionError
        gradient = gradient * limit / norm
    return gradient, limit


class Handler:
    def __init__(self, successor=None):
        self.successor = successor

    def handle(self, x):
        if self.accepts(x):  #! OAK201
            return x.mean()
        return self.successor.handle(x) if self.successor else x


class Wide(Handler):
    def accepts(self, x):
        return x.ndim > 1


class Negative(Handler):
    def accepts(self, x):
        return jnp.min(x) < 0  # asked in `handle`


@jax.jit
def step(w):
    gradient = jax.grad(lambda w: jnp.sum(w**2))(w)
    return w - 0.1 * Bus.fire("update", gradient, 1.0)[0]


print(Wide(Wide()).handle(jnp.ones(2)))
print(step(jnp.ones(3)))
print(jax.jit(Wide(Negative()).handle)(jnp.arange(3.0)))
