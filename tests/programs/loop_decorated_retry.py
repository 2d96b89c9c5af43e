# category: python-loop-on-tracer
import functools

import jax
import jax.numpy as jnp


def retry_until(accept, limit=5):
    """Decorator factory: repeats a sampler until its draw is accepted."""

    def decorate(draw):
        @functools.wraps(draw)
        def sampler(key, *args, **kwargs):
            value = draw(key, *args, **kwargs)
            attempts = 1
            while attempts < limit and ~accept(value):  #! OAK202 #~ TracerBoolConversionError
                key, sub = jax.random.split(key)  #? OAK401
                value = draw(sub, *args, **kwargs)
                attempts += 1
            return value

        return sampler

    return decorate


@retry_until(lambda v: jnp.abs(v) < 1.0)
def truncated_normal(key, scale=1.0):
    return scale * jax.random.normal(key)


@jax.jit
def draws(keys):
    return jax.lax.map(truncated_normal, keys)


print(truncated_normal(jax.random.key(0), scale=0.5))
print(draws(jax.random.split(jax.random.key(0), 3)))
