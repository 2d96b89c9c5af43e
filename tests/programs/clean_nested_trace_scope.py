# category: clean/leak-append
import jax
import jax.numpy as jnp


@jax.jit
def unrolled_then_scanned(x):
    stages = {}
    order = []

    def log(name, value):
        stages[name] = value
        order.append(name)
        return value

    x = log("a", jnp.tanh(x))
    x = log("b", jax.lax.cond(x.sum() > 0, lambda v: 2 * v, lambda v: v, x))
    totals = jax.tree.map(jnp.sum, stages)
    return totals, len(order)


seen = []
for _ in range(2):
    seen.append(unrolled_then_scanned(jnp.ones(2))[0]["b"])
print(sum(seen))
