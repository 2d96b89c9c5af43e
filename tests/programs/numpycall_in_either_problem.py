# category: numpy-call-on-tracer
# One of two classes traces what it gets: whether this one is made is not known here.
import sys

import jax
import jax.numpy as jnp
import numpy as np


class Exact:
    def evaluate(self, sampler):
        return jax.jit(sampler)(jnp.ones(3))


class Sampled:
    def evaluate(self, sampler):
        return sampler(jnp.ones(3))


def load(name):
    return Exact() if name else Sampled()


def sampler(x):
    return np.array(x)  #! OAK208 #~ TracerArrayConversionError


load(sys.argv[0]).evaluate(sampler)
