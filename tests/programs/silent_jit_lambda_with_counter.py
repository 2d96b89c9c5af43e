# category: silent/jit-in-loop
import jax
import jax.numpy as jnp


def anneal(x, steps):
    for step in range(steps):
        cool = jax.jit(lambda v: v - 0.1 / (step + 1) * jnp.tanh(v))  #! OAK307
        x = cool(x)
    return x


offsets = []
for k in range(4):

    def shifted(v):
        return jnp.sin(v) + k

    offsets.append(jax.jit(shifted)(jnp.ones(2)))  #! OAK307
print(anneal(jnp.ones(3), 4), len(offsets))
