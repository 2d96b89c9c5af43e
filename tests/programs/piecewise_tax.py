# category: list-index-by-tracer
import jax
import jax.numpy as jnp

BRACKETS = ((0.0, 0.1), (10.0, 0.2), (40.0, 0.3))
EDGES = jnp.array([edge for edge, _ in BRACKETS])


def marginal(income):
    bracket = jnp.sum(income >= EDGES) - 1
    _, rate = BRACKETS[bracket]  #! OAK206  #~ TracerIntegerConversionError
    return rate


def tax(incomes):
    return incomes * jax.vmap(marginal)(incomes)


print(tax(jnp.array([5.0, 20.0])))
