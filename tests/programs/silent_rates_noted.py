# category: silent/outer-change
# A list of numbers is filled while the function is traced, and never again.
import jax
import jax.numpy as jnp

rates = []


@jax.jit
def step(x, n):
    rates.append(0.5 / x.shape[0])  #? OAK112
    return x + n


for n in range(3):
    print(step(jnp.ones(3), n))
print(len(rates))
