# category: use-after-donate
import jax
import jax.numpy as jnp

step = jax.jit(lambda state: (state[0] * 2, state[1] + 1), donate_argnums=0)
weights, count = jnp.ones(3), 2
state = step((weights, count))
print(count + 1, state)
print(weights + 1)  #! OAK701 #~ RuntimeError
