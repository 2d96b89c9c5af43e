# category: use-after-donate
import jax
import jax.numpy as jnp

diffuse = jax.jit(lambda field, rate: field + rate * jnp.cos(field), donate_argnums=0)


def record(field, steps):
    frames = []
    for _ in range(steps):
        frames.append(field)
        field = diffuse(field, 0.1)
    return field, jnp.stack(frames)  #! OAK701 #~ RuntimeError


print(record(jnp.ones((3, 13)), 4))
