# category: deleted-array
# With `keep_unused` the program gets what it does not read, and takes its memory.
import jax
import jax.numpy as jnp


def cleared(old):
    return jnp.zeros(4)


def moved(state, step):
    return {"position": state["position"] + step, "speed": state["speed"]}


cleared = jax.jit(cleared, donate_argnums=0, keep_unused=True)
moved = jax.jit(moved, donate_argnums=0)

state = {"position": jnp.ones(4), "speed": jnp.full(4, 0.5)}
after = moved(state, 0.1)
buffer = jnp.ones(4)
zeros = cleared(buffer)
if after["speed"].sum() > 100.0:
    print(state["position"] + 1.0)  #! OAK701
print(zeros, jnp.sum(buffer))  #! OAK701 #~ RuntimeError
