# category: clean/jit-in-loop
import jax
import jax.numpy as jnp


class Net:
    def __init__(self, w):
        self.w = w

    def compiled(self):
        return jax.jit(lambda x: x @ self.w)


totals = []
for scale in (1.0, 2.0):
    net = Net(scale * jnp.eye(2))
    forward = net.compiled()
    totals.append([forward(jnp.ones(2)) for _ in range(3)])
print(totals)
