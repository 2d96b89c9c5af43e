# category: clean/range-of-tracer
"""What is static is read from a text: none of the arguments can be said to be traced."""

import json

import jax
import jax.numpy as jnp

SETTINGS = json.loads('{"powers": {"static_argnums": [1]}, "smooth": {"static_argnames": "rounds"}}')


def powers(x, count):
    terms = [jnp.ones_like(x)]
    for _ in range(count):
        terms.append(terms[-1] * x)
    return sum(terms)


def smooth(x, rounds, *, wrap=True):
    for _ in range(rounds):
        left = jnp.roll(x, 1) if wrap else jnp.concatenate([x[:1], x[:-1]])
        x = (x + left) / 2
    return x


def staged(name, function):
    return jax.jit(function, **SETTINGS[name])


def with_options(**options):
    def decorate(function):
        return jax.checkpoint(function, **options)

    return decorate


@with_options(static_argnums=(1,))
def energy(x, order):
    return jnp.sum(x**2) if order > 1 else jnp.sum(jnp.abs(x))


def compiled(function, arguments, **options):
    return jax.jit(**{**options, "inline": False})(function)(*arguments)


x = jnp.linspace(0.0, 1.0, 5)
print(staged("powers", powers)(x, 3))
print(staged("smooth", smooth)(x, rounds=2))
print(jax.grad(energy)(x, 2), compiled(powers, [x, 2], **SETTINGS["powers"]))
