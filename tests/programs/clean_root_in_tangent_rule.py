# category: clean/nan-where-grad
import jax
import jax.numpy as jnp


@jax.custom_jvp
def overlap(x):
    return jnp.sign(x) * jnp.sqrt(jnp.clip(x * x.T, 0.0))


@overlap.defjvp
def overlap_tangent(primals, tangents):
    (x,), (tangent,) = primals, tangents
    value = jnp.sign(x) * jnp.sqrt(jnp.clip(x * x.T, 0.0))
    return value, 0.5 * (tangent + tangent.T)


@jax.custom_jvp
def energy(r):
    return jnp.where(r > 0, 1 / r, 0.0)


@energy.defjvp
def energy_tangent(primals, tangents):
    (r,), (tangent,) = primals, tangents
    inverse = jnp.where(r > 0, 1 / r, 0.0)
    return inverse, -(inverse**2) * tangent


x = jnp.array([[1.0, -2.0], [3.0, 0.0]])
print(jax.jit(jax.grad(lambda x: overlap(x).sum()))(x))
print(jax.grad(lambda r: energy(r).sum())(jnp.array([0.0, 2.0])))
