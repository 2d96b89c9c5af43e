# category: clean/python-branch-on-tracer
import pickle

import jax
import jax.numpy as jnp


class System:
    def __init__(self, gain, iterations):
        self.gain = gain
        self.iterations = iterations


# How it is flattened is not in sight.
register = vars(jax.tree_util)["register_pytree_node"]
register(System, lambda s: ((s.gain,), s.iterations), lambda rest, leaves: System(*leaves, rest))


def solved(system: System, x):
    if system.iterations == 0:
        return x
    for _ in range(system.iterations):
        x = x * system.gain
    return x


@jax.jit
def step(system, x):
    return solved(system, x)


print(step(pickle.loads(pickle.dumps(System(jnp.ones(3), 2))), jnp.ones(3)))
