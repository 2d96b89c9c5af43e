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


@functools.cache
def window(length):
    return np.hanning(length + 2)[1:-1].astype(np.float32)


@jax.jit
def clean(sensors, readings):
    gains = jnp.array([GAINS[kind] for kind in sorted(GAINS)])
    readings = readings * gains[sensors][:, None]
    valid = ~jnp.isnan(readings)
    mean = jnp.mean(readings, axis=0, where=valid)
    readings = jnp.where(valid, readings, mean)
    return readings * window(readings.shape[1]), jnp.sum(~valid)


@jax.jit
def outliers(readings):
    distance = jnp.abs(readings - jnp.mean(readings, axis=0)).max(axis=1)
    (rows,) = jnp.nonzero(
        distance > jnp.mean(distance) + 2 * jnp.std(distance), size=8, fill_value=-1
    )
    jax.debug.callback(lambda rows: print("outliers:", rows[rows >= 0]), rows)
    return rows


@jax.jit
def fit(weights, batch, target):
    def loss(weights):
        return jnp.mean((batch @ weights - target) ** 2)

    return weights - 0.01 * jax.grad(loss)(weights)


def main():
    weights = jnp.zeros(4)
    missing = 0
    for sensors, readings in batches(*load(256)):
        batch, replaced = clean(sensors, readings)
        missing += int(replaced)
        outliers(batch)
        weights = fit(weights, batch, jnp.ones(BATCH))
    jax.effects_barrier()
    print("missing values:", missing, "weights:", np.round(weights, 3))


if __name__ == "__main__":
    main()
