# category: boolean-mask-index
import jax
import jax.numpy as jnp


def pairwise_distances(pos):
    d = pos[:, None] - pos[None, :]
    return jnp.sqrt((d**2).sum(-1) + 1e-12)


def neighbour_energy(system):
    dist = pairwise_distances(system["pos"])
    close = (dist < system["cutoff"]) & ~jnp.eye(len(dist), dtype=bool)
    r = dist[close]  #! OAK213 #~ NonConcreteBooleanIndexError
    return jnp.sum(1.0 / r**6)


def minimize(system, steps=2):
    for _ in range(steps):
        force = jax.grad(lambda p: neighbour_energy({**system, "pos": p}))(system["pos"])
        system = dict(system, pos=system["pos"] - 1e-3 * force)
    return system["pos"]


system = {"pos": jnp.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.5]]), "cutoff": 1.2}
print(neighbour_energy(system))
print(minimize(system))
print(jax.jit(minimize)(system))
