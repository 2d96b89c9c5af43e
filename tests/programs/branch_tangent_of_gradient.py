# category: python-branch-on-tracer
"""Forward the tangents of a rule are numbers; a gradient goes back through them, and stages them."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def hinge(x):
    return jnp.maximum(x, 0.0)


@hinge.defjvp
def hinge_tangent(primals, tangents):
    (margin,), (direction,) = primals, tangents
    if direction < 0:  #! OAK201 #~ TracerBoolConversionError
        return hinge(margin), 0.5 * direction
    return hinge(margin), direction


value, slope = jax.jvp(hinge, (jnp.array(2.0),), (jnp.array(-1.0),))
print(value, slope)
print(jax.grad(hinge)(2.0))
