# category: dtype-mismatch
import jax
import jax.numpy as jnp


def gate(counts, x):
    return jax.nn.silu(x) * jax.nn.sigmoid(counts)  #! OAK502 #~ TypeError


print(gate(jnp.ones(3), jnp.ones(3)))
print(gate(jnp.arange(3), jnp.ones(3)))
