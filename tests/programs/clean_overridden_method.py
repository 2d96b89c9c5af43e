# category: clean/scalar-cast-of-tracer
import jax
import jax.numpy as jnp


class Quantity:
    def __init__(self, value, unit):
        self.value, self.unit = value, unit

    def __float__(self):
        return 1.0

    def item(self):
        return self.value

    def __format__(self, spec):
        return f"<{self.unit}>"


jax.tree_util.register_pytree_node(
    Quantity, lambda q: ((q.value,), q.unit), lambda unit, children: Quantity(children[0], unit)
)


@jax.jit
def convert(q):
    label = f"{q:.3f}"
    return Quantity(q.item() * float(q) * len(label), "m")


print(convert(Quantity(jnp.ones(2), "cm")).value)
