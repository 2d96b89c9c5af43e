# category: silent/key-reuse
"""One function draws for many keys: what is wrong with one of its calls is not lost behind those
that are right.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class Chain:
    key: jax.Array
    position: jax.Array


def kick(key, scale):
    return scale * jax.random.normal(key, (2,))  #! OAK401


def wave(key):
    return jnp.sin(kick(key, 2.0))


def advance(chain):
    key, own = jax.random.split(chain.key)
    return Chain(key, chain.position + kick(own, 0.5))


def stay(chain):
    return Chain(chain.key, chain.position + kick(chain.key, 0.1))


def pair(key):
    return kick(key, 1.0), kick(key, 1.0)  #! OAK401


def separate(seed):
    first, second, third = jax.random.split(jax.random.key(seed), 3)
    return kick(first, 1.0), kick(second, 1.0), kick(third, 1.0)


def same_again(seed):
    first, second = jax.random.split(jax.random.key(seed))
    return kick(first, 1.0), kick(second, 1.0), kick(first, 1.0)  #! OAK401


def drawn_before(seed):
    key = jax.random.key(seed)
    noise = jax.random.uniform(key, (2,))
    return noise + kick(key, 1.0)  #! OAK401


def of_each_row(seed, total):
    for row in jax.random.split(jax.random.key(seed), 3):
        total = total + kick(row, 1.0)
    return total


def of_each_iteration(seed, total):
    key = jax.random.key(seed)
    for _ in range(3):
        total = total + kick(key, 1.0)  #! OAK401
    return total


def of_each_element(seed, items):
    key = jax.random.key(seed)
    return [item + kick(key, 1.0) for item in items]  #! OAK401


def of_each_pass(seed, total):
    key = jax.random.key(seed)

    def body(carry, _):
        return carry + kick(key, 1.0), None

    return jax.lax.scan(body, total, None, length=3)[0]


def of_each_lane(seed, lanes):
    key = jax.random.key(seed)
    return jax.vmap(lambda lane: lane + kick(key, 1.0))(lanes)


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
    return shape, drawn + jax.jit(wave)(key)  #! OAK401


def moved(seed):
    chain = advance(Chain(jax.random.key(seed), jnp.zeros(2)))
    return advance(chain)


def held(seed):
    chain = stay(Chain(jax.random.key(seed), jnp.zeros(2)))
    other = stay(Chain(jax.random.key(seed + 1), jnp.zeros(2)))
    return stay(chain), other  #! OAK401


zeros = jnp.zeros(2)
for number in (1, 2):
    print(separate(number), moved(number), of_each_row(number, zeros), carried(number, zeros))
print(pair(jax.random.key(3)), pair(jax.random.key(4)))
print(same_again(5), drawn_before(6), of_each_iteration(7, zeros), held(8))
print(of_each_element(9, [zeros, zeros]), of_each_pass(10, zeros))
print(of_each_lane(11, jnp.zeros((3, 2))), shown_first(12))
