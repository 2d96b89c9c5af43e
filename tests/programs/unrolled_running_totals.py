# category: silent/unrolled-loop
"""Builtins that call a function for each of many items: each call is staged."""

import functools
import itertools
import operator

import jax
import jax.numpy as jnp

STEPS = range(160)
DAMPING = [0.99] * 120


def relax(state, factor):
    return state + factor * jnp.sin(state)


def cool(state, step):
    return relax(state, 1.0 / (step + 1))


@jax.jit
def settle(state):
    return functools.reduce(relax, DAMPING, state)  #! OAK710


@jax.jit
def horner(coefficients, x):
    return functools.reduce(lambda total, c: total * x + c, coefficients)  #! OAK710


@jax.jit
def path(state):
    states = itertools.accumulate(STEPS, cool, initial=state)  #! OAK710
    return jnp.stack(tuple(states))


@jax.jit
def energy(levels):
    squares = sum(map(jnp.square, levels))  #! OAK710
    return sum(levels) / squares  #! OAK710


@jax.jit
def harmonics(x):
    waves = [jnp.sin(n * x) for n in STEPS]  #! OAK710
    return sum(waves)


@jax.jit
def diffuse(field):
    for _ in itertools.repeat(None, 128):  #! OAK710
        field = 0.5 * (field + jnp.roll(field, 1))
    return functools.reduce(operator.mul, field, 1.0)


field = jnp.linspace(0.0, 1.0, 8)
print(settle(field), horner(jnp.ones(100), field), path(field).shape)
print(energy(jnp.ones(128)), harmonics(field), diffuse(field))
assert str(jax.make_jaxpr(settle)(field)).count("sin") == len(DAMPING)
