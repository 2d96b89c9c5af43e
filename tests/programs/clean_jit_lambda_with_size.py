# category: clean/jit-in-loop
import jax
import jax.numpy as jnp

x = jnp.arange(4.0)
for width in (2, 4):
    head = jax.jit(lambda v: v[:width] * width)
    print(head(x))
for power in range(3):
    raised = jax.jit(lambda v: v**power)
    print(raised(x))
for depth in range(1, 3):

    def stacked(v):
        for _ in range(depth):
            v = jnp.tanh(v) / depth
        return v

    print(jax.jit(stacked)(x))
