# category: clean/inplace-mutation
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def policy(obs):
    return jnp.tanh(obs).sum(-1)


class Rollout:
    def __init__(self, steps, envs):
        self.rewards = np.zeros((steps, envs), np.float32)
        self.flags = [False] * steps
        self.table = jnp.zeros((steps, envs))

    def collect(self, obs):
        for t in range(len(self.flags)):
            action = policy(obs)
            self.rewards[t] = action
            self.rewards[t] += np.asarray(action)
            self.flags[t] = bool(action.mean() > 0)
            self.table = self.table.at[t].set(action)
            obs = obs * 0.9
        return self.rewards.sum()


rollout = Rollout(3, 2)
print(rollout.collect(jnp.ones((2, 4))), rollout.flags)
