# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


class Static:
    """Keeps a Python number, whatever it is given."""

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, instance, owner):
        if instance is None:
            return self
        return getattr(instance, self.slot)

    def __set__(self, instance, value):
        setattr(instance, self.slot, len(value))


class Signal:
    width = Static()

    def __init__(self, samples):
        self.samples = samples
        self.width = samples

    def __getattr__(self, name):
        # Only what is not there is asked for here.
        return 0 if name == "offset" else len(self.samples)

    def mean(self):
        if self.width > 2 and self.length > self.offset:
            return self.samples.sum() / self.width
        return self.samples.sum()


@jax.jit
def mean(samples):
    return Signal(samples).mean()


print(mean(jnp.arange(4.0)))
