# category: clean/branch-on-tracer
"""`unknown and False` is false whatever the first says: what stands behind it is not reached."""

import jax
import jax.numpy as jnp


class Sampler:
    def __init__(self, config):
        self.config = config

    def sample(self, ids, pad, trace=True, quiet=False):
        if not self.config["is_encoder"] and not trace:
            if jnp.sum(ids[:, -1] == pad) > 0:
                print("padded on the right")
        if self.config["is_encoder"] and quiet:
            if jnp.sum(ids) > 0:
                print("not quiet")
        if self.config["is_encoder"] or trace:
            return ids + 1
        return ids if jnp.sum(ids) > 0 else pad


def main(config):
    sampler = Sampler(config)

    @jax.jit
    def generate(ids):
        return sampler.sample(ids, 0)

    return generate(jnp.ones((2, 3), int))


print(main(dict(is_encoder=bool(jax.device_count()))))
