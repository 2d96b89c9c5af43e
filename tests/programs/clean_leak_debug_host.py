# category: clean/leak-append
import jax
import jax.numpy as jnp

losses = []


def record(value):
    losses.append(float(value))


@jax.jit
def step(w):
    loss = jnp.sum(w**2)
    jax.debug.callback(record, loss)
    trail = dict(start=w)
    trail["end"] = w - 0.1 * w
    trail.update(loss=loss)
    return trail["end"]


w = jnp.ones(2)
for _ in range(3):
    w = step(w)
jax.effects_barrier()
print(len(losses), losses[0])
