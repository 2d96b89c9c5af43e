# category: hash-of-tracer
import jax
import jax.numpy as jnp

COSTS = {0: 1.0, 1: 5.0, 2: 2.0}


def cost(label):
    return COSTS.get(label, 0.0)  #! OAK216 #~ TypeError


def expected_cost(probs):
    label = jnp.argmax(probs)
    return cost(label) * probs.max()


print(cost(1))
print(jax.jit(jax.vmap(expected_cost))(jnp.array([[0.1, 0.9], [0.8, 0.2]])))
