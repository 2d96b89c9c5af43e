# category: leak-iterator
import jax
import jax.numpy as jnp


def running_mean():
    """Coroutine: send values, receive their mean."""
    total, count, mean = 0.0, 0, None
    while True:
        value = yield mean
        total = total + value  #~ UnexpectedTracerError
        count += 1
        mean = total / count


tracker = running_mean()
next(tracker)


@jax.jit
def step(x):
    y = jnp.sin(x)
    return y - tracker.send(y.mean())  #! OAK105


print(step(jnp.ones(2)))
print(tracker.send(1.0))
