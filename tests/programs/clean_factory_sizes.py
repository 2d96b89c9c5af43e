# category: clean/traced-shape
import jax
import jax.numpy as jnp


def make_sampler(count, dims):
    shape = (count,) + dims

    def sample(key, scale):
        return scale * jax.random.uniform(key, shape).reshape(count, -1)

    return jax.jit(sample)


samplers = {n: make_sampler(n, (2, n)) for n in (1, 3)}
print([samplers[n](jax.random.key(n), 2.0).shape for n in samplers])
