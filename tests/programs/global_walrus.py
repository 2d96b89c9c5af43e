# category: leak-global
import jax
import jax.numpy as jnp


def project(v):
    global last_norm
    if v.ndim == 1 and (last_norm := jnp.linalg.norm(v)) is not None:  #! OAK102
        v = v / last_norm
    return v


sphere = jax.vmap(project)
sphere(jnp.ones((2, 3)))
print(last_norm.sum() + jnp.zeros(2))  #~ UnexpectedTracerError
