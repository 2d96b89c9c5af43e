# category: hash-of-tracer
import jax
import jax.numpy as jnp


@jax.jit
def ranks(scores):
    order = jnp.argsort(scores)
    by_score = dict(zip(list(scores), order))  #! OAK216 #~ TypeError
    return sum(by_score.values())


ranks(jnp.array([0.5, 0.1]))
