# category: leak-append
import jax
import jax.numpy as jnp


class Recorder:
    def __init__(self):
        self.values = []

    def record(self, value):
        self.values.append(value)  #! OAK101
        return value


recorder = Recorder()


def block(w, x):
    return x + recorder.record(jnp.tanh(x @ w))


def network(ws, x):
    for w in ws:
        x = block(w, x)
    return jnp.mean(x)


ws = [jnp.eye(3), jnp.ones((3, 3)) * 0.1]
grads = jax.jit(jax.grad(network))(ws, jnp.ones((2, 3)))
print(jax.tree.map(jnp.shape, grads))
stats = [jnp.mean(v) for v in recorder.values]  #~ UnexpectedTracerError
