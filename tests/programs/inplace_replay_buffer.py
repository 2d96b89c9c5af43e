# category: inplace-mutation
import jax
import jax.numpy as jnp
import numpy as np


class ReplayBuffer:
    """Ring buffer; observations live on the device, rewards on the host."""

    def __init__(self, capacity, obs_dim):
        self.obs = jnp.zeros((capacity, obs_dim))
        self.rewards = np.zeros(capacity, dtype=np.float32)
        self.position = 0
        self.capacity = capacity

    def add(self, obs, reward):
        i = self.position % self.capacity
        self.rewards[i] = reward
        self.obs[i] = obs  #! OAK215 #~ TypeError
        self.position += 1

    def sample(self, key, n):
        idx = jax.random.randint(key, (n,), 0, min(self.position, self.capacity))
        return self.obs[idx], self.rewards[np.asarray(idx)]


buffer = ReplayBuffer(8, 2)
for t in range(4):
    buffer.add(jnp.full(2, t), 0.5 * t)
print(buffer.sample(jax.random.key(0), 2))
