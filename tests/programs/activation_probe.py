# category: leak-append
import jax
import jax.numpy as jnp


class Probe:
    def __init__(self):
        self.records = {}

    def watch(self, name):
        def tap(x):
            self.records.setdefault(name, []).append(x)  #! OAK101
            return x

        return tap


probe = Probe()
layers = [jnp.tanh, probe.watch("hidden"), lambda x: x * 2.0]


@jax.jit
def network(x):
    for layer in layers:
        x = layer(x)
    return x


network(jnp.ones(3))
print(probe.records["hidden"][0] + 1.0)  #~ UnexpectedTracerError
