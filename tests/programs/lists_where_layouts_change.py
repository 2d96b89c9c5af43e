# category: sequence-to-jnp-function
import jax
import jax.numpy as jnp


class FrameStack:
    def __init__(self, length):
        self.frames = [jnp.zeros(4)] * length

    def push(self, frame):
        self.frames = self.frames[1:] + [frame]

    def together(self):
        return jnp.reshape(jnp.stack(self.frames), (-1,))

    def observation(self):
        return jnp.reshape(self.frames, (-1,))  #! OAK503 #~ TypeError


stack = FrameStack(3)
stack.push(jnp.ones(4))
key = jax.random.key(0)
arms = jnp.arange(3)
print(stack.together(), jax.random.choice(key, arms), jnp.pad(arms, 1), jnp.where(arms > 0, 1, 0))
print(stack.observation())
