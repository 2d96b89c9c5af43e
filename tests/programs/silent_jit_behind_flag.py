# category: silent/jit-in-loop
# What a flag of the object guards is compiled once, if the flag is set with it.
import jax
import jax.numpy as jnp


class Operator:
    def __init__(self):
        self.ready = False
        self.count = 0
        self.limit = 9

    def build(self):
        return lambda x, *more: sum(more, x)

    def apply(self, x, *more):
        if (not self.ready) or self.count != len(more):
            self.ready = True
            self.count = len(more)
            axes = (0,) + (None,) * len(more)
            self.run = jax.jit(jax.vmap(self.build(), in_axes=axes))
        return self.run(x, *more)

    def rebuild(self, x):
        if self.limit > 3:
            self.run = jax.jit(jax.vmap(self.build()))  #! OAK307
        return self.run(x)


operator = Operator()
for shift in range(3):
    print(operator.apply(jnp.ones(3), jnp.float32(shift)))
for _ in range(3):
    print(operator.rebuild(jnp.ones(3)))
