# category: leak-iterator
import jax
import jax.numpy as jnp


def key_stream(key):
    """Endless stream of fresh keys."""
    while True:
        key, sub = jax.random.split(key)  #~ UnexpectedTracerError
        yield sub


keys = key_stream(jax.random.key(0))


def dropout(x, rate):
    keep = jax.random.bernoulli(next(keys), 1.0 - rate, x.shape)  #! OAK105
    return jnp.where(keep, x, 0.0) / (1.0 - rate)


@jax.jit
def forward(x):
    return dropout(x, 0.5).sum()


noise = jax.random.normal(next(keys), (2, 3))
print(forward(noise))
print(jax.random.uniform(next(keys)))
