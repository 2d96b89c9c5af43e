# category: lost-update
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
        self.seen += 1  #! OAK116
        self.mean = self.mean + (x - self.mean) / self.seen
        return x - self.mean


@jax.jit
def residual(filter, x):
    return filter.update(x)


filter = Filter(jnp.zeros(()), jnp.zeros(()))
print([residual(filter, x) for x in (1.0, 2.0, 4.0)], filter.seen)
assert filter.seen == 0
