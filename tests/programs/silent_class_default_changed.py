# category: silent/static-mutated
import jax
import jax.numpy as jnp


class Defaults:
    floor = 0.5


class Config(Defaults):
    temperature = 1.0


config = Config()


@jax.jit
def policy(params, obs):
    logits = obs @ params["w"] / config.temperature
    return jnp.maximum(jax.nn.softmax(logits), config.floor)


params = {"w": jnp.eye(2)}
print(policy(params, jnp.array([1.0, 2.0])))
config.temperature = 0.1  #! OAK114
config.floor = 0.5
print(policy(params, jnp.array([1.0, 2.0])))
config.floor = 0.1  #! OAK114
print(policy(params, jnp.array([3.0, 2.0])))
