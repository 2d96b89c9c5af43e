# category: silent/outer-change
"""Counts, in attributes of the functions themselves, how often they ran: all say 1."""

import jax
import jax.numpy as jnp


@jax.jit
def energy(state):
    energy.calls += 1  #! OAK112
    return 0.5 * jnp.sum(state**2)


energy.calls = 0


def objective(weights):
    objective.evaluations = objective.evaluations + 1  #! OAK112
    return jnp.sum((weights - 2.0) ** 2)


objective.evaluations = 0


@jax.jit
def project(state):
    project.uses = getattr(project, "uses", 0) + 1  #! OAK112
    return state / jnp.linalg.norm(state)


def counted(function):
    def wrapper(*args):
        wrapper.calls += 1  #! OAK112
        return function(*args)

    wrapper.calls = 0
    return wrapper


@counted
def kick(state):
    return state - 0.01 * jax.grad(energy)(state)


slope = jax.jit(jax.grad(objective))
move = jax.jit(kick)
weights = jnp.ones(3)
state = jnp.arange(1.0, 4.0)
for _ in range(5):
    weights = weights - 0.1 * slope(weights)
    state = project(move(state))
    energy(state)
print(objective.evaluations, kick.calls, project.uses)
assert objective.evaluations == kick.calls == project.uses == 1
