# category: grad-type
import jax
import jax.numpy as jnp


def summary(x):
    return {"mean": x.mean(), "positive": jnp.sum(x > 0)}


print(jax.jacfwd(summary)(jnp.ones(3)))
print(jax.jacrev(summary)(jnp.ones(3)))  #! OAK601 #~ TypeError
