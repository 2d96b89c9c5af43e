# category: clean/irreversible-loop
import equinox as eqx
import jax.numpy as jnp
from jax import lax


def root(a, steps, verbose):
    if verbose:
        print("searching")
    x = a
    for _ in range(steps):
        x = 0.5 * (x + a / x)
    return x


def searched(a):
    return lax.while_loop(lambda c: c * c > a, lambda c: c - 0.01, a)


value, pull = eqx.filter_vjp(root, jnp.array(2.0), 5, True)
print(value, pull(jnp.array(1.0)))
there, forward = eqx.filter_jvp(searched, (jnp.array(2.0),), (jnp.array(1.0),))
print(there, forward)
