# category: python-loop-on-tracer
"""Label propagation; the fixed point loop is given functions."""

import jax
import jax.numpy as jnp


def iterate(step, converged, state, limit=10):
    history = 0
    while not converged(state) and history < limit:  #! OAK203 #~ TracerBoolConversionError
        state = step(state)
        history += 1
    return state


def propagate(adjacency, labels):
    def step(state):
        _, new = state
        return new, jnp.max(adjacency * new[None, :], axis=1)

    def converged(state):
        old, new = state
        return jnp.array_equal(old, new)

    return iterate(step, converged, (jnp.zeros_like(labels), labels))[1]


adjacency = jnp.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
labels = jnp.array([1.0, 2.0, 3.0])
print(propagate(adjacency, labels))
run = jax.jit(propagate)
print(run(adjacency, labels))
