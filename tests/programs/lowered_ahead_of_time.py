# category: clean/ahead-of-time
"""Lowering traces and hands nothing to the device: it is done when it returns, it donates nothing,
and a loop that compiles a program for each size does so on purpose.
"""

import time

import jax
import jax.numpy as jnp


def compile_step(state):
    step = jax.jit(lambda s: s * 2.0, donate_argnums=0)
    start = time.perf_counter()
    lowered = step.lower(state)
    traced_for = time.perf_counter() - start
    compiled = lowered.compile()
    print(traced_for, time.perf_counter() - start, jnp.sum(state))
    return compiled


def compile_groups(groups):
    programs = []
    for group in groups:
        programs.append(jax.jit(lambda tree: tree).lower(group).compile())
    return programs


print(compile_step(jnp.ones(3))(jnp.ones(3)))
print(len(compile_groups([{"w": jnp.ones(2)}, {"b": jnp.ones(3), "c": jnp.ones(1)}])))
