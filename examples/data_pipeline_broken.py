"""Cleans, augments and batches sensor records, and fits a baseline to them."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

GAINS = {0: 1.0, 1: 0.5, 2: 2.0}
BATCH = 32


def load(count):
    generator = np.random.default_rng(0)
    sensors = generator.integers(0, len(GAINS), count)
    readings = generator.normal(1.0, 0.3, (count, 4)) * (1.0 + sensors)[:, None]
    readings[generator.random(readings.shape) < 0.05] = np.nan
    return sensors, readings.astype(np.float32)


def batches(sensors, readings):
    for start in range(0, len(sensors) - BATCH + 1, BATCH):
        yield sensors[start : start + BATCH], readings[start : start + BATCH]


stream = batches(*load(256))


@functools.cache
def window(length):
    return np.hanning(length + 2)[1:-1].astype(np.float32)


def calibrate(sensor, reading):
    return reading * GAINS[sensor]


@jax.jit
def clean(sensors, readings):
    readings = jax.vmap(calibrate)(sensors, readings)
    valid = ~jnp.isnan(readings)
    readings = jnp.where(valid, readings, jnp.mean(readings, axis=0, where=valid))
    print("missing values:", jnp.sum(~valid))
    return readings * window(readings.shape[1])


@jax.jit
def outliers(readings):
    distance = jnp.abs(readings - jnp.mean(readings, axis=0)).max(axis=1)
    return jnp.nonzero(distance > jnp.mean(distance) + 2 * jnp.std(distance))


@jax.jit
def fit(weights, target):
    sensors, readings = next(stream)
    batch = clean(sensors, readings)

    def loss(weights):
        return jnp.mean((batch @ weights - target) ** 2)

    return weights - 0.01 * jax.grad(loss)(weights)


def main():
    weights = jnp.zeros(4)
    for _ in range(8):
        weights = fit(weights, jnp.ones(BATCH))
    print("outliers:", outliers(clean(*load(BATCH))))
    print("weights:", np.round(weights, 3))


if __name__ == "__main__":
    main()
