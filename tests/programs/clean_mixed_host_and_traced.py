# category: clean/python-loop-on-tracer
"""The same helpers serve a traced and a host path; each path is right."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def contraction(x, a):
    return jnp.cos(a * x)


def fixed_point_host(f, x, tol=1e-4):
    for it in range(100):
        new = f(x)
        if np.max(np.abs(new - x)) < tol:
            return new, it
        x = new
    raise RuntimeError("no convergence")


def fixed_point_traced(f, x, tol=1e-4):
    def cond(state):
        old, new, it = state
        return (jnp.abs(new - old).max() > tol) & (it < 100)

    def body(state):
        _, new, it = state
        return new, f(new), it + 1

    _, x, it = jax.lax.while_loop(cond, body, (x, f(x), 0))
    return x, it


SOLVERS = {"host": fixed_point_host, "traced": fixed_point_traced}


def solve(a, x0, solver="traced"):
    return SOLVERS[solver](lambda x: contraction(x, a), x0)


fast = jax.jit(partial(solve, solver="traced"))
slow = partial(solve, solver="host")
print(fast(0.5, jnp.ones(2))[0], slow(0.5, jnp.ones(2))[1] > 0)
print(jax.vmap(fast, in_axes=(0, None))(jnp.array([0.1, 0.5]), jnp.ones(2))[1].shape)
