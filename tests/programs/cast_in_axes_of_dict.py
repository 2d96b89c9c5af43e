# category: scalar-cast-of-tracer
"""Parameters are mapped by a dict of axes: what has None stays a plain number, deeper too."""

import jax
import jax.numpy as jnp


def layer(params):
    width = int(params["width"]) + int(params["rest"][0])
    return jnp.tile(params["w"], width)


def bad_layer(params):
    return jnp.tile(params["w"], int(params["b"]))  #! OAK204 #~ ConcretizationTypeError


axes = {"w": 0, "b": 0, "width": None, "rest": (None, 0)}
params = {"w": jnp.ones((4, 3)), "b": jnp.ones(4), "width": 2, "rest": (1, jnp.ones(4))}
print(jax.vmap(layer, in_axes=(axes,))(params))
print(jax.vmap(bad_layer, in_axes=({**axes},))(params))
