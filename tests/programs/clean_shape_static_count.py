# category: clean/traced-shape
import jax
import jax.numpy as jnp
from functools import partial


class Sampler:
    def __init__(self, num_samples: int, event_shape: tuple):
        self.num_samples = num_samples
        self.event_shape = event_shape
        self.draw = jax.jit(self._draw)

    @property
    def shape(self):
        return (self.num_samples, *self.event_shape)

    def _draw(self, key, loc):
        noise = jax.random.normal(key, self.shape)
        ids = jnp.arange(self.num_samples)[:, None]
        return loc + noise + ids * 0, jnp.ones((ids.size, loc.ndim)), jnp.eye(loc.shape[0])


@partial(jax.vmap, in_axes=(0, None))
def pad_to(x, n):
    return jnp.pad(x, (0, n - x.shape[0])) + jnp.zeros(n)


sampler = Sampler(4, (2,))
print([v.shape for v in sampler.draw(jax.random.key(0), jnp.zeros(2))])
print(pad_to(jnp.ones((2, 3)), 5).shape)
