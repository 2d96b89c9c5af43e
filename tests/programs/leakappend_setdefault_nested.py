# category: leak-append
import jax
import jax.numpy as jnp


class Profiler:
    def __init__(self):
        self.store = {"activations": {}, "names": []}

    def tap(self, name, value):
        self.store["names"].append(name)
        self.store["activations"].setdefault(name, []).append(value)  #! OAK101
        return value

    def report(self):
        return {k: jnp.max(v[0]) for k, v in self.store["activations"].items()}  #~ UnexpectedTracerError


profiler = Profiler()


def encoder(params, x):
    h = profiler.tap("hidden", jnp.tanh(x @ params["enc"]))
    return profiler.tap("code", h @ params["code"])


def loss(params, x):
    return jnp.mean(encoder(params, x) ** 2)


params = {"enc": jnp.eye(2), "code": jnp.ones((2, 1))}
print(jax.jit(loss)(params, jnp.ones((3, 2))))
print(profiler.store["names"])
print(profiler.report())
