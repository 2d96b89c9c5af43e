# category: numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np


def dynamics(state, control):
    angle, speed = state
    return np.array([speed, jnp.sin(angle) + control])  #! OAK208  #~ TracerArrayConversionError


def lqr_matrices(state, control):
    a = jax.jacobian(dynamics, argnums=0)(state, control)
    _, b = jax.linearize(lambda u: dynamics(state, u), control)
    return a, b(1.0)


print(lqr_matrices(jnp.zeros(2), 0.0))
