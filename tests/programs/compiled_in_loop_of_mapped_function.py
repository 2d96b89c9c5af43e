# category: silent/jit-in-loop
import jax
import jax.numpy as jnp


@jax.jit
def policy(params, x):
    return jnp.tanh(params * x)


def rollout(params, xs):
    batched = jax.vmap(policy, in_axes=(None, 0))
    return jax.jit(batched)(params, xs)  #! OAK307


for scale in (1.0, 2.0):
    print(rollout(scale, jnp.ones(3)).sum())
