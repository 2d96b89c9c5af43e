"""Integrates a predator-prey model with an adaptive Runge-Kutta method."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Progress(NamedTuple):
    time: jax.Array
    state: jax.Array
    step: jax.Array
    rejected: jax.Array


def predator_prey(state, rates):
    prey, predators = state
    growth, capture, conversion, death = rates
    return jnp.stack(
        [
            growth * prey - capture * prey * predators,
            conversion * prey * predators - death * predators,
        ]
    )


def heun_step(field, state, step):
    first = field(state)
    second = field(state + step * first)
    better = state + 0.5 * step * (first + second)
    error = jnp.linalg.norm(0.5 * step * (second - first))
    return better, error


def integrate(field, state, end, tolerance):
    def unfinished(progress):
        return progress.time < end

    def advance(progress):
        step = jnp.minimum(progress.step, end - progress.time)
        candidate, error = heun_step(field, progress.state, step)
        accept = error <= tolerance
        factor = jnp.clip(0.9 * jnp.sqrt(tolerance / (error + 1e-12)), 0.2, 5.0)
        return Progress(
            jnp.where(accept, progress.time + step, progress.time),
            jnp.where(accept, candidate, progress.state),
            step * factor,
            progress.rejected + jnp.where(accept, 0, 1),
        )

    start = Progress(jnp.zeros(()), state, jnp.asarray(0.1), jnp.zeros((), jnp.int32))
    return jax.lax.while_loop(unfinished, advance, start)


@partial(jax.jit, static_argnames=("points",))
def trajectory(state, rates, end, points, tolerance=1e-4):
    def field(state):
        return predator_prey(state, rates)

    def body(state, duration):
        progress = integrate(field, state, duration, tolerance)
        return progress.state, (progress.state, progress.rejected)

    times = jnp.linspace(0.0, end, points)
    _, (states, rejected) = jax.lax.scan(body, state, jnp.diff(times))
    path = jnp.zeros((points, state.shape[0]))
    path = path.at[0].set(state)
    path = path.at[1:].set(states)
    return times, path, jnp.sum(rejected)


def main():
    start = jnp.array([10.0, 5.0])
    rates = jnp.array([1.1, 0.4, 0.1, 0.4])
    times, path, rejected = trajectory(start, rates, 10.0, points=6)
    print("rejected steps:", int(rejected))
    for time, (prey, predators) in zip(times, path):
        print(f"{time:5.1f} {prey:8.3f} {predators:8.3f}")


if __name__ == "__main__":
    main()
