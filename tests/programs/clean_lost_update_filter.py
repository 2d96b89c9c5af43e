# category: clean/lost-update
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Filter:
    def __init__(self, mean, seen):
        self.mean = mean
        self.seen = seen

    def tree_flatten(self):
        return (self.mean, self.seen), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)

    def update(self, x):
        self.seen += 1
        self.mean = self.mean + (x - self.mean) / self.seen
        return x - self.mean


@jax.jit
def residual(filter, x):
    left = filter.update(x)
    return filter, left


@jax.jit
def smooth(filter, xs):
    def body(filter, x):
        left = filter.update(x)
        return filter, left

    return jax.lax.scan(body, filter, xs)


@jax.jit
def counted(filter, x):
    filter.seen += 1
    return filter.seen, x


filter = Filter(jnp.zeros(()), jnp.zeros(()))
filter, _ = residual(filter, 1.0)
filter, _ = smooth(filter, jnp.ones(3))
filter.seen, _ = counted(filter, 1.0)
print(filter.mean, filter.update(2.0))
