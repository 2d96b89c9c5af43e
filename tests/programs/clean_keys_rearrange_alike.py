# category: clean/key-reuse
import time

import jax
import jax.numpy as jnp
from jax import random


def shuffled(key, batch):
    return jax.tree.map(lambda leaf: random.permutation(key, leaf), batch)


def paired(key, inputs, labels):
    return random.permutation(key, inputs), random.permutation(key, labels)


def draws(key, count):
    return jnp.stack([random.normal(part, (2,)) for part in random.split(key, count)])


def epochs(key, arrays):
    for part in random.split(key, 2):
        arrays = [random.permutation(part, array) for array in arrays]
    return arrays


batch = {"inputs": jnp.arange(6.0).reshape(3, 2), "labels": jnp.arange(3)}
first, second, third = random.split(random.key(0), 3)
print(shuffled(first, batch)["labels"].shape, draws(second, 4).shape)
inputs, labels = paired(third, batch["inputs"], batch["labels"])
print(jnp.all(inputs[:, 0] == 2 * labels))
print(epochs(random.key(3), [inputs, labels])[0].shape)
step = jax.jit(lambda total: total * 2)
for epoch in range(2):
    start = time.perf_counter()
    inputs = step(inputs)
    print(f"{inputs.sum():.1f}: {time.perf_counter() - start >= 0}")
