# category: leak-append
import jax
import jax.numpy as jnp


def simulate(q, p, steps):
    trajectory = []

    def leapfrog(state, _):
        q, p = state
        p = p - 0.05 * q
        q = q + 0.1 * p
        p = p - 0.05 * q
        trajectory.append((q, p))  #! OAK101
        return (q, p), None

    jax.lax.scan(leapfrog, (q, p), None, length=steps)
    return trajectory


path = simulate(jnp.ones(()), jnp.zeros(()), 3)
energies = [q**2 + p**2 for q, p in path]  #~ UnexpectedTracerError
print(energies)
