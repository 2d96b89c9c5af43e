# category: non-jax-type-argument
import jax
import jax.numpy as jnp


def filtered(image, sharp):
    return jax.lax.cond(sharp, jnp.sin, jnp.cos, image, lambda pixel: pixel)  #! OAK305 #~ TypeError


filtered(jnp.ones((2, 2)), True)
