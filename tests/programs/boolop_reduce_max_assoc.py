# category: bool-op-on-tracer
from functools import reduce

import jax
import jax.numpy as jnp
from jax import lax


class Semiring:
    def __init__(self, plus, times):
        self.plus, self.times = plus, times

    def dot(self, xs, ys):
        return reduce(self.plus, map(self.times, xs, ys))  #! OAK203 #~ TracerBoolConversionError


TROPICAL = Semiring(max, lambda a, b: a + b)
STANDARD = Semiring(jnp.add, jnp.multiply)


def viterbi(ring, emissions, transition):
    def step(alpha, e):
        cols = [transition[:, j] for j in range(transition.shape[1])]
        alpha = jnp.stack([ring.dot(alpha, c) for c in cols]) + e
        return alpha, alpha

    return lax.scan(step, emissions[0], emissions[1:])[1]


emissions, transition = jnp.ones((3, 2)), jnp.zeros((2, 2))
print(viterbi(STANDARD, emissions, transition).shape)
print(viterbi(TROPICAL, emissions, transition).shape)
