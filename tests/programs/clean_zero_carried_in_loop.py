# category: clean/zero-gradient
import jax
import jax.numpy as jnp
from jax import lax


def in_place(w, x):
    """The carry becomes one with a derivative in the dict that the body is given."""

    def body(state, row):
        given = jnp.sign(w[0]) * state["level"]
        state["level"] = state["level"] + row @ w
        return state, given

    return jnp.sum(lax.scan(body, {"level": 0.0}, x)[1])


def through_three(w, x):
    def body(carry, row):
        first, second, third = carry
        return (row @ w, first, second), jnp.round(w[0]) * third

    return jnp.sum(lax.scan(body, (0.0, 0.0, 0.0), x)[1])


def beside(w, x):
    def body(i, carry):
        count, level = carry
        return count + jnp.round(x[i] @ w) * level, level + x[i] @ w

    return lax.fori_loop(0, 8, body, (0.0, 0.0))[0]


def nested(w, x):
    def outer(total, row):
        def inner(part, element):
            return part + jnp.sign(element) * total, part

        part, _ = lax.scan(inner, 0.0, row * w)
        return total + row @ w, part

    return jnp.sum(lax.scan(outer, 1.0, x)[1])


w, x = jnp.full(5, 0.9), jnp.ones((8, 5))
assert jnp.any(jax.grad(in_place)(w, x) != 0)
assert jnp.any(jax.grad(through_three)(w, x) != 0)
assert jnp.any(jax.grad(beside)(w, x) != 0)
assert jnp.any(jax.grad(nested)(w, x) != 0)
