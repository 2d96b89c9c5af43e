# category: inplace-mutation
import jax
import jax.numpy as jnp


def spring_forces(positions, springs):
    forces = {"total": jnp.zeros_like(positions)}
    for a, b, stiffness in springs:
        pull = stiffness * (positions[b] - positions[a])
        forces["total"][a] += pull  #! OAK215  #~ TypeError
        forces["total"][b] -= pull  #? OAK215
    return forces["total"]


mesh = ((0, 1, 2.0), (1, 2, 1.0))
step = jax.jit(lambda x: x + 0.01 * spring_forces(x, mesh))
print(step(jnp.arange(3.0)))
