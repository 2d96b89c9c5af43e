# category: bool-op-on-tracer
import jax
import jax.numpy as jnp


def is_settled(history, tolerance):
    return history[-1] < tolerance


@jax.jit
def descend(x):
    history = (jnp.inf,)
    while not is_settled(history, 1e-3):  #! OAK203 #~ TracerBoolConversionError
        slope = 2.0 * x
        x = x - 0.1 * slope
        history = (*history, jnp.abs(slope).max())
    return x


@jax.jit
def unrolled(x):
    layers, rest = [], [1.0, 2.0, 3.0]
    while rest:
        layers.append(x * rest.pop())
    chosen = None
    while chosen is None:
        chosen = layers[-1]
    return chosen


print(unrolled(jnp.ones(2)))
print(descend(jnp.ones(2)))
