# category: clean/traced-static-argument
"""Numbers of steps that are annotated, and static, or bounds of loops that take any number."""

from functools import partial

import jax
import jax.numpy as jnp


class Trajectory:
    @classmethod
    @partial(jax.jit, static_argnames=("cls", "steps"))
    def points_from(cls, start, rate=0.5, steps: int = 6):
        def advance(point, _):
            return point + rate * (1.0 - point), point

        return jax.lax.scan(advance, start, None, length=steps)[1]


@jax.jit
def settled(start, sweeps: int = 4, width: int = 2):
    field = jax.lax.fori_loop(0, sweeps, lambda i, x: 0.5 * x + i, start)
    return jnp.where(jnp.arange(3) < width, field, -field)


@jax.jit
def scaled(x, power: int = 2):
    return x**power / (power + 1)


print(Trajectory.points_from(jnp.zeros(2), steps=3).shape)
print(settled(jnp.ones(3)), settled(jnp.ones(3), 2, width=1), scaled(jnp.ones(2), power=3))
