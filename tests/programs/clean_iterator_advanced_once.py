# category: clean/leak-iterator
import jax
import jax.numpy as jnp


@jax.jit
def network(layers, x):
    remaining = iter(layers)
    x = x @ next(remaining)
    for depth, w in enumerate(remaining, start=1):
        x = jnp.tanh(x @ w) / depth
    leftover = next(remaining, None)
    return x if leftover is None else x @ leftover


@jax.jit
def paired(x):
    factors = iter([jnp.ones((2, 3)), jnp.ones((3, 2))])
    first, second = next(factors), next(factors)
    return x @ first @ second


print(network((jnp.ones((3, 4)), jnp.eye(4), jnp.ones((4, 5))), jnp.ones((2, 3))).shape)
print(paired(jnp.ones((4, 2))).shape)
