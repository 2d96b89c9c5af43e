# category: silent/jit-in-loop
import jax
import jax.numpy as jnp

traced = []


class Net:
    def __init__(self, w):
        self.w = w

    @property
    def forward(self):
        return jax.jit(lambda x: traced.append("net") or jnp.tanh(x @ self.w))  #! OAK307


net = Net(jnp.eye(2))
outputs = [jnp.zeros(2)]
for _ in range(4):
    outputs.append(net.forward(outputs[-1] + 1))
assert len(traced) == 4
