# category: silent/key-reuse
"""One key for all leaves of a tree, and for all calls of a function in a comprehension."""

import sys

import jax
import jax.numpy as jnp


def perturbed(key, params):
    return jax.tree.map(lambda p: p + jax.random.normal(key, p.shape), params)  #! OAK401


def privately(key, grads):
    key, noise_key = jax.random.split(key)

    def add_noise(grad):
        return grad + jax.random.normal(noise_key, grad.shape)  #! OAK401

    return jax.tree_util.tree_map(add_noise, grads), key


def of_each(key, widths):
    def layer(width):
        return jax.random.normal(key, (width,))  #! OAK401

    return {width: layer(width) for width in widths}


def categories(key, counts):
    def drawn(rng, count):
        _, part = jax.random.split(rng)
        return jax.random.randint(part, (3,), 0, count)

    return jnp.stack([drawn(key, count) for count in counts])  #! OAK401


def call(name, *arguments):
    return getattr(sys.modules[__name__], name)(*arguments)


params = {"a": jnp.ones(2), "b": jnp.ones(2)}
same = call("perturbed", jax.random.key(0), params)
assert (same["a"] == same["b"]).all()
print(call("privately", jax.random.key(1), params)[0])
print(call("of_each", jax.random.key(2), (1, 2)), call("categories", jax.random.key(3), (4, 4)))
