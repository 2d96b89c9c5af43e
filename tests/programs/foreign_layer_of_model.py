# category: non-jax-type-argument
import equinox as eqx
import jax
import jax.numpy as jnp


class Policy(eqx.Module):
    trunk: eqx.nn.MLP
    scale: jax.Array

    def __init__(self, key):
        self.trunk = eqx.nn.MLP(4, 2, width_size=8, depth=1, key=key)
        self.scale = jnp.ones(2)

    def __call__(self, observation):
        return self.scale * self.trunk(observation)


def loss(policy, observations):
    return jnp.mean(jax.vmap(policy)(observations) ** 2)


policy = Policy(jax.random.key(1))
observations = jnp.ones((3, 4))
print(eqx.filter_jit(loss)(policy, observations), eqx.filter_grad(loss)(policy, observations).scale)
print(jax.jit(loss)(policy, observations))  #! OAK305 #~ TypeError
