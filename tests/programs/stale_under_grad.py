# category: silent/stale-read
# Under grad and vmap a jitted function runs the program that it has, as it does elsewhere.
import jax
import jax.numpy as jnp

penalty = 1.0
options = {"scale": 1.0, "name": "quadratic"}


@jax.jit
def penalized(x):
    return jnp.sum(x**2) + penalty * x.sum() ** 2  #! OAK113


@jax.jit
def scaled(x):
    return x * options.get("scale")  #! OAK113


def minimize(x, rounds=3):
    global penalty
    slope = jax.grad(penalized)
    for _ in range(rounds):
        x = x - 0.1 * slope(x)
        penalty *= 4.0
    return x


print(minimize(jnp.ones(2)))
print(scaled(jnp.float32(1.0)))
options["name"] = "linear"
options["scale"] = 2.0
print(jax.vmap(scaled)(jnp.ones(3)))
