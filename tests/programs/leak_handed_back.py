# category: clean/leak-attribute
"""Variables are given to a traced function and handed back when it has been traced."""

import jax
import jax.numpy as jnp


class Variable:
    def __init__(self, value):
        self.value = value


class Variables:
    def __init__(self, *variables):
        self.variables = variables

    def values(self):
        return [variable.value for variable in self.variables]

    def assign(self, values):
        for variable, value in zip(self.variables, values, strict=True):
            variable.value = value


class Momentum:
    def __init__(self, size):
        self.step = Variable(jnp.zeros((), jnp.int32))
        self.mean = Variable(jnp.zeros(size))
        self.held = Variables(self.step, self.mean)

    def __call__(self, gradient):
        self.step.value += 1
        self.mean.value = self.mean.value * 0.9 + gradient
        return self.mean.value / self.step.value


class Compiled:
    def __init__(self, function, held):
        self.held = held

        def call(values, *args):
            before = self.held.values()
            try:
                self.held.assign(values)
                return function(*args), self.held.values()
            finally:
                self.held.assign(before)

        self.call = jax.jit(call)

    def __call__(self, *args):
        result, values = self.call(self.held.values(), *args)
        self.held.assign(values)
        return result


momentum = Momentum(3)
step = Compiled(momentum, momentum.held)
print(step(jnp.ones(3)), step(jnp.ones(3)), momentum.step.value)
