# category: irreversible-loop
"""Gradients that go back through loops of unknown length, and loops that no gradient meets."""

import jax
import jax.numpy as jnp
from jax import lax


def fixed_point(params, x):
    """Iterates until nothing changes any more."""

    def unfinished(state):
        previous, current, _ = state
        return jnp.max(jnp.abs(previous - current)) > 1e-3

    def update(state):
        _, current, count = state
        return current, jnp.tanh(params["w"] @ current + x), count + 1

    first = jnp.zeros_like(x)
    state = (first, jnp.tanh(params["w"] @ first + x), 1)
    _, found, count = lax.while_loop(unfinished, update, state)  #! OAK604 23
    return found, count


def fixed_steps(params, x):
    """Iterates as often as it was asked to."""

    def update(current, _):
        return jnp.tanh(params["w"] @ current + x), None

    return lax.scan(update, jnp.zeros_like(x), None, length=30)[0]


def norm_of_result(params, x):
    found, _ = fixed_point(params, x)
    return jnp.sum(found**2)


def step_count_penalty(params, x):
    """Only the number of iterations is used, through which there is no derivative."""
    _, count = fixed_point(params, x)
    return jnp.sum(params["w"] ** 2) * count


def held(params, x):
    found, _ = fixed_point(lax.stop_gradient(params), x)
    return jnp.sum(found * jnp.diag(params["w"]))


def with_aux(params, x):
    found, count = fixed_point(params, x)
    return jnp.sum(params["w"] ** 2), (found, count)


params = {"w": 0.2 * jnp.eye(3)}
x = jnp.arange(3.0)
jax.grad(step_count_penalty)(params, x)
jax.grad(held)(params, x)
jax.grad(with_aux, has_aux=True)(params, x)
jax.grad(lambda p: jnp.sum(fixed_steps(p, x) ** 2))(params)
jax.jacfwd(norm_of_result)(params, x)
jax.jit(norm_of_result)(params, x)
jax.jit(jax.grad(norm_of_result))(params, x)  #~ ValueError
