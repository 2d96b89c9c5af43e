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
key = jax.random.key(2)
plain = eqx.nn.Sequential([eqx.nn.Linear(4, 4, key=key), eqx.nn.LayerNorm(4)])
print(jax.jit(loss)(plain, observations))
print(jax.jit(loss)(policy, observations))  #! OAK305 #~ TypeError
head = eqx.nn.Sequential([eqx.nn.Linear(4, 2, key=key), eqx.nn.Lambda(jax.nn.tanh)])  #? OAK401
print(jax.jit(loss)(head, observations))  #! OAK305
