# category: clean/leak-append
import jax
import jax.numpy as jnp


class Sequential:
    """Layers are appended while building, outside any trace."""

    def __init__(self):
        self.layers = []
        self.names = {}

    def add(self, name, fn):
        self.names[name] = len(self.layers)
        self.layers.append(fn)
        return self

    def __call__(self, x, collect=False):
        outs = []
        for fn in self.layers:
            x = fn(x)
            outs.append(x)
        return (x, outs) if collect else x


net = Sequential().add("tanh", jnp.tanh).add("scale", lambda x: 2 * x)
fast = jax.jit(net.__call__, static_argnames="collect")
out, outs = fast(jnp.ones(2), collect=True)
results = {}
results.setdefault("out", []).append(out)
grads = [jax.grad(lambda x: net(x).sum())(jnp.ones(2)) for _ in range(2)]
results["out"] += grads
print(jnp.stack(results["out"]))
