# category: scalar-cast-of-tracer
import math

import jax
import jax.numpy as jnp


class Schedule:
    def __init__(self, start, decay):
        self.start, self.decay = start, decay

    def __call__(self, step):
        return self.start * math.exp(-self.decay * step)  #! OAK204  #~ ConcretizationTypeError


def make_train_step(schedule):
    @jax.jit
    def train_step(logits, step):
        temperature = schedule(step)
        return jax.nn.softmax(logits / temperature)

    return train_step


step = make_train_step(Schedule(2.0, 0.1))
print(step(jnp.arange(3.0), 4))
