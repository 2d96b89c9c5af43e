# category: clean/key-reuse
"""One function draws for many keys, each of which is used once."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class Chain:
    key: jax.Array
    position: jax.Array


def kick(key, scale):
    return scale * jax.random.normal(key, (2,))


def wave(key):
    return jnp.sin(kick(key, 2.0))


def advance(chain):
    key, own = jax.random.split(chain.key)
    return Chain(key, chain.position + kick(own, 0.5))


def stop(chain):
    return Chain(None, chain.position + kick(chain.key, 0.1))


def pair(key):
    return [kick(own, 1.0) for own in jax.random.split(key)]


def separate(seed):
    first, second, third = jax.random.split(jax.random.key(seed), 3)
    return kick(first, 1.0), kick(second, 1.0), kick(third, 1.0)


def drawn_before(seed):
    key, own = jax.random.split(jax.random.key(seed))
    noise = jax.random.uniform(own, (2,))
    return noise + kick(key, 1.0)


def of_each_row(seed, total):
    for row in jax.random.split(jax.random.key(seed), 3):
        total = total + kick(row, 1.0)
    return total


def of_each_iteration(seed, total):
    key = jax.random.key(seed)
    for number in range(3):
        total = total + kick(jax.random.fold_in(key, number), 1.0)
    return total


def of_each_element(seed, items):
    keys = jax.random.split(jax.random.key(seed), len(items))
    return [item + kick(key, 1.0) for key, item in zip(keys, items)]


def of_each_pass(seed, total):
    keys = jax.random.split(jax.random.key(seed), 3)

    def body(carry, key):
        return carry + kick(key, 1.0), None

    return jax.lax.scan(body, total, keys)[0]


def of_each_lane(seed, lanes):
    keys = jax.random.split(jax.random.key(seed), len(lanes))
    return jax.vmap(lambda lane, key: lane + kick(key, 1.0))(lanes, keys)


def carried(seed, total):
    def body(state, _):
        key, value = state
        key, own = jax.random.split(key)
        return (key, value + kick(own, 1.0)), None

    return jax.lax.scan(body, (jax.random.key(seed), total), None, length=3)[0][1]


def shown_first(seed):
    key = jax.random.key(seed)
    shape = jax.eval_shape(wave, key).shape
    drawn = jax.jit(wave)(key)
    return shape, drawn


def moved(seed):
    chain = advance(Chain(jax.random.key(seed), jnp.zeros(2)))
    return advance(chain)


def held(seed):
    chain = stop(Chain(jax.random.key(seed), jnp.zeros(2)))
    other = stop(Chain(jax.random.key(seed + 1), jnp.zeros(2)))
    return chain, other


zeros = jnp.zeros(2)
for number in (1, 2):
    print(separate(number), moved(number), of_each_row(number, zeros), carried(number, zeros))
print(pair(jax.random.key(3)), pair(jax.random.key(4)))
print(drawn_before(6), of_each_iteration(7, zeros), held(8))
print(of_each_element(9, [zeros, zeros]), of_each_pass(10, zeros))
print(of_each_lane(11, jnp.zeros((3, 2))), shown_first(12))
