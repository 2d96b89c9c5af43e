# category: leak-attribute
import pickle

import jax
import jax.numpy as jnp


class System:
    def __init__(self, gain):
        self.gain = gain


# How it is flattened is not in sight.
register = vars(jax.tree_util)["register_pytree_node"]
register(System, lambda s: ((s.gain,), None), lambda rest, leaves: System(*leaves))


class Env:
    def __init__(self):
        self.system = System(jnp.float32(1.0))

    def reset(self, x):
        return x * self.system.gain


ENV = Env()


def with_system(system: System):
    ENV.system = system  #! OAK103
    return ENV


@jax.vmap
def reset(system, x):
    return with_system(system).reset(x)


reset(pickle.loads(pickle.dumps(System(jnp.ones(3)))), jnp.ones(3))
print(ENV.system.gain + 1)  #~ UnexpectedTracerError
