# category: clean/shape-mismatch
import jax
import jax.numpy as jnp
import numpy as np


def both(x):
    return jnp.sum(x**2), {"doubled": 2 * x}


@jax.jit
def pulled(x):
    value, pullback = jax.vjp(jnp.sum, x)
    (gradient,) = pullback(1.0)
    (other,) = pullback(jnp.ones_like(value))
    (total, parts), pull_both = jax.vjp(both, x)
    (third,) = pull_both((1.0, {"doubled": jnp.zeros(3)}))
    mapped = jax.vmap(lambda seed: jax.vjp(jnp.tanh, x)[1](seed)[0])(jnp.eye(3))
    _, pull_rows = jax.vjp(lambda rows: rows.sum(axis=0), jnp.ones((2, 3)))
    return gradient, other, total, parts, third, mapped, pull_rows(np.ones(3, np.float32))


print(jax.tree.map(jnp.shape, pulled(jnp.arange(3.0))))
jacobian = jax.vmap(jax.vjp(jnp.sin, jnp.ones(3))[1])(jnp.eye(3))
print(jacobian[0].shape)
