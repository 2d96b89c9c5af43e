# category: numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def rotation(theta):
    c, s = jnp.cos(theta), jnp.sin(theta)
    return np.array([[c, -s], [s, c]])  #! OAK208 12 #~ TracerArrayConversionError


def kinematics(angles, lengths):
    """Positions of the joints of a planar arm."""

    def joint(carry, inputs):
        pos, heading = carry
        angle, length = inputs
        heading = rotation(angle) @ heading
        pos = pos + length * heading
        return (pos, heading), pos

    start = (jnp.zeros(2), jnp.array([1.0, 0.0]))
    return lax.scan(joint, start, (angles, lengths))[1]


print(rotation(0.1).shape)
print(kinematics(jnp.array([0.1, 0.2]), jnp.ones(2)))
