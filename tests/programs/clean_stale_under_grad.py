# category: clean/impure-global-read
# What is differentiated is traced anew for each gradient, and so is a program within another one.
import jax
import jax.numpy as jnp

penalty = 1.0
options = {"scale": 1.0, "calls": 0}


def penalized(x):
    return jnp.sum(x**2) + penalty * x.sum() ** 2


@jax.jit
def scaled(x):
    return x * options["scale"]


print(jax.grad(penalized)(jnp.ones(2)))
penalty = 4.0
print(jax.grad(penalized)(jnp.ones(2)))
print(jax.grad(scaled)(1.0))
options["calls"] += 1
print(jax.grad(scaled)(1.0))
options["scale"] = 2.0
print(jax.vmap(scaled)(jnp.ones((3, 2))))
