# category: range-of-tracer
import jax
import jax.numpy as jnp


class Walker:
    def __init__(self, sigma):
        self.sigma = sigma

    def walk(self, key, start, steps):
        position = start
        for index in range(0, steps, 2):  #! OAK205  #~ TracerIntegerConversionError
            key = jax.random.fold_in(key, index)
            position = position + self.sigma * jax.random.normal(key, position.shape)
        return position


walkers = [Walker(s) for s in (0.1, 0.5)]
for walker in walkers:
    print(jax.jit(walker.walk)(jax.random.key(0), jnp.zeros(2), 4))
