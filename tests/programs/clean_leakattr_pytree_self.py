# category: clean/leak-attribute
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Ema:
    def __init__(self, mean, decay=0.9):
        self.mean = mean
        self.decay = decay
        self.scaled = None

    def tree_flatten(self):
        return (self.mean,), self.decay

    @classmethod
    def tree_unflatten(cls, decay, children):
        return cls(*children, decay)

    @jax.jit
    def update(self, x):
        """`self` is rebuilt inside the trace: assigning to it does not leak."""
        self.mean = self.decay * self.mean + (1 - self.decay) * x
        out = Ema(self.mean, self.decay)
        out.scaled = x * 2
        return out


ema = Ema(jnp.zeros(2))
for i in range(3):
    ema = ema.update(jnp.ones(2) * i)
print(ema.mean)
