# category: python-branch-on-tracer
import jax
from jax import lax, numpy as jnp


def reward_for(kind: str):
    if kind == "sparse":
        return lambda s: jnp.where(s > 0.9, 1.0, 0.0)
    elif kind == "shaped":

        def shaped(s):
            if s.ndim > 0:
                return shaped(s.mean())
            elif s > 0.5:  #! OAK201 18 #~ TracerBoolConversionError
                return 2.0 * s
            return s

        return shaped
    raise ValueError(kind)


REWARDS = [reward_for(k) for k in ("sparse", "shaped")]


def total_reward(task, states):
    def step(acc, s):
        r = lax.switch(task, REWARDS, s)
        return acc + r, r

    return lax.scan(step, 0.0, states)[0]


print(REWARDS[1](jnp.float32(0.7)))
print(total_reward(0, jnp.linspace(0.0, 1.0, 4)))
