# category: python-branch-on-tracer
from functools import partial

import jax.numpy as jnp


def great_circle(a, b):
    """Haversine distance of two (lat, lon) pairs in radians."""
    d = b - a
    h = jnp.sin(d[0] / 2) ** 2 + jnp.cos(a[0]) * jnp.cos(b[0]) * jnp.sin(d[1] / 2) ** 2
    return 2 * jnp.arcsin(jnp.sqrt(h))


@partial(jnp.vectorize, signature="(k),(k)->()")
def travel_time(a, b):
    dist = great_circle(a, b)
    speed = 0.5 if dist < 0.1 else 2.0  #! OAK201 20 #~ TracerBoolConversionError
    return dist / speed


origin = jnp.array([0.1, 0.2])
print(great_circle(origin, origin + 0.01))
print(travel_time(origin, jnp.ones((3, 2))))
