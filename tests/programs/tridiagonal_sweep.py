# category: inplace-mutation
import jax
import jax.numpy as jnp


def thomas(lower, diag, upper, rhs):
    n = rhs.shape[0]
    for i in range(1, n):
        factor = lower[i] / diag[i - 1]
        diag = diag.at[i].add(-factor * upper[i - 1])
        rhs[i] -= factor * rhs[i - 1]  #! OAK215  #~ TypeError
    return rhs / diag


solve = jax.jit(thomas)
print(solve(jnp.ones(3), 4 * jnp.ones(3), jnp.ones(3), jnp.ones(3)))
