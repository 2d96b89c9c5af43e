# category: python-branch-on-tracer
import enum
import functools
import operator

import jax
import jax.numpy as jnp


class Loss:
    registry = {}

    def __init_subclass__(cls, name=None, **options):
        super().__init_subclass__(**options)
        Loss.registry[name or cls.__name__.lower()] = cls


class Huber(Loss, name="smooth"):
    def __init__(self, delta=1.0):
        self.delta = delta

    def __call__(self, error):
        if error.max() <= self.delta:  #! OAK201 #~ TracerBoolConversionError
            return 0.5 * (error**2).mean()
        return error.mean()


class Squared(Loss):
    def __call__(self, error):
        return (error**2).mean()


class Stage:
    def __init__(self, function):
        self.function = function

    def __or__(self, other):
        return Stage(lambda x: other(self(x)))

    def __call__(self, x):
        return self.function(x)


class Level(enum.Enum):
    LOW = 0
    HIGH = 1


pipeline = functools.reduce(
    operator.or_,
    [Stage(jnp.sin), Stage(lambda x: x if x.mean() > 0 else -x), Stage(jnp.square)],  #! OAK201
)


@jax.jit
def gain(level, x):
    return x if Level(level) is Level.LOW else x * 2  #! OAK201


print(jax.jit(Loss.registry["squared"]())(jnp.ones(2)))
print(jax.jit(Loss.registry["smooth"](delta=0.5))(jnp.ones(2)))
print(jax.jit(pipeline)(jnp.ones(3)))
print(gain(1, jnp.ones(2)))
