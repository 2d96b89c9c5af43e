# category: silent/jit-in-loop
# A helper compiles what it gets: the function of another model in each iteration of one loop, and
# the same one in each of the other. Nothing is stale: each is compiled when it is made.
import jax
import jax.numpy as jnp


def model(width):
    weights = jnp.ones((width, 2))
    return lambda w, x: w @ x, weights


def on_rows(f):
    return jax.jit(jax.vmap(f))


def on_all_rows(f):
    return jax.jit(jax.vmap(f))  #! OAK307


def compare(x):
    for width in (1, 2, 3):
        apply, weights = model(width)
        print(on_rows(lambda row: apply(weights, row))(x))


def repeat(x):
    for _ in range(3):
        print(on_all_rows(lambda row: row + 1)(x))


compare(jnp.ones((4, 2)))
repeat(jnp.ones((4, 2)))
