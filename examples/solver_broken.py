"""Integrates a predator-prey model with an adaptive Runge-Kutta method."""

import jax
import jax.numpy as jnp


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


def next_step(step, error, tolerance):
    factor = 0.9 * jnp.sqrt(tolerance / (error + 1e-12))
    return step * min(max(factor, 0.2), 5.0)


@jax.jit
def integrate(state, rates, end, tolerance):
    time, rejected = jnp.zeros(()), jnp.zeros((), jnp.int32)
    step = jnp.asarray(0.1)
    while time < end:
        step = jnp.minimum(step, end - time)
        candidate, error = heun_step(lambda s: predator_prey(s, rates), state, step)
        accept = error <= tolerance
        time = jnp.where(accept, time + step, time)
        state = jnp.where(accept, candidate, state)
        rejected = rejected + jnp.where(accept, 0, 1)
        step = next_step(step, error, tolerance)
    return state, rejected


@jax.jit
def sample_times(end, points):
    return jnp.linspace(0.0, end, points)


def trajectory(state, rates, end, points, tolerance=1e-4):
    times = sample_times(end, points)
    path = jnp.zeros((points, state.shape[0]))
    total = 0
    for i in range(points):
        path[i] = state
        state, rejected = integrate(state, rates, times[1] - times[0], tolerance)
        total += int(rejected)
    return times, path, total


def main():
    start = jnp.array([10.0, 5.0])
    rates = jnp.array([1.1, 0.4, 0.1, 0.4])
    times, path, rejected = trajectory(start, rates, 10.0, points=6)
    print("rejected steps:", rejected)
    for time, (prey, predators) in zip(times, path):
        print(f"{time:5.1f} {prey:8.3f} {predators:8.3f}")


if __name__ == "__main__":
    main()
