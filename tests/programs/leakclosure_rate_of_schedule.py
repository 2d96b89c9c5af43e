# category: leak-closure
import jax
import jax.numpy as jnp


def stateful(fn, initial):
    """Wraps a pure function into one that remembers its last output."""
    last = initial

    def call(*args):
        nonlocal last
        last = fn(last, *args)  #! OAK104
        return last

    call.peek = lambda: last
    return call


ema = stateful(lambda old, new: 0.9 * old + 0.1 * new, jnp.zeros(2))  #~ UnexpectedTracerError


@jax.jit
def normalized(x):
    return x - ema(x.mean(0))


print(ema(jnp.ones(2)))
print(normalized(jnp.ones((3, 2))))
print(ema(jnp.ones(2)))
