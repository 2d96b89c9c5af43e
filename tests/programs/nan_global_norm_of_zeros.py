# category: silent/nan-where-grad
import jax
import jax.numpy as jnp


def init(sizes):
    return [{"kernel": jnp.zeros((m, n)), "bias": jnp.zeros(n)} for m, n in zip(sizes, sizes[1:])]


def decay(params):
    squares = [jnp.sum(jnp.square(leaf)) for leaf in jax.tree.leaves(params)]
    return jnp.sqrt(sum(squares))  #! OAK602


params = init((3, 2, 1))
grads = jax.grad(lambda p: 1e-4 * decay(p))(params)
print(grads[0]["bias"])
