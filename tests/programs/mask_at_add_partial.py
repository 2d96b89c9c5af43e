# category: boolean-mask-index
import jax
import jax.numpy as jnp
from functools import partial


def scatter_rewards(buffer, rewards, done):
    """Adds the reward of finished environments."""
    buffer = buffer.at[:, 0].add(rewards)
    return buffer.at[done].set(0.0)  #! OAK213 #~ NonConcreteBooleanIndexError


def rollout(policy, buffer, obs, num_steps):
    def body(carry, _):
        buffer, obs = carry
        action = policy(obs)
        obs = obs + action
        rewards = -jnp.square(obs).sum(-1)
        return (scatter_rewards(buffer, rewards, rewards < -1.0), obs), rewards

    return jax.lax.scan(body, (buffer, obs), None, num_steps)


policy = partial(jnp.multiply, -0.1)
print(rollout(policy, jnp.zeros((3, 2)), jnp.ones((3, 2)), num_steps=2)[1])
