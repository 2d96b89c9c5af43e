# category: clean/key-reuse
import jax
import jax.numpy as jnp
from jax import random


def sample(key, kind):
    if kind == "normal":
        return random.normal(key, (3,))
    if kind == "uniform":
        return random.uniform(key, (3,))
    return random.laplace(key, (3,))


def dropout(key, x, rate):
    if rate == 0.0:
        return x
    keep = random.bernoulli(key, 1.0 - rate, x.shape)
    return jnp.where(keep, x / (1.0 - rate), 0.0)


def forward(key, x):
    for layer in range(3):
        x = dropout(random.fold_in(key, layer), jnp.tanh(x), 0.5)
    return x


key = random.key(0)
for kind in ("normal", "uniform", "laplace"):
    key, part = random.split(key)
    print(sample(part, kind).shape)
keys = random.split(key, 4)
print(jax.vmap(forward)(keys[:3], jnp.ones((3, 2))).shape)
shape = jax.eval_shape(forward, keys[3], jnp.ones(2))
print(shape.shape, forward(keys[3], jnp.ones(2)).shape)
