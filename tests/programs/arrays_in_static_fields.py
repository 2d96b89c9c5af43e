# category: leak-metadata
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Signal:
    values: jax.Array
    times: object = dataclasses.field(metadata={"static": True})


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Window:
    values: jax.Array
    times: object = dataclasses.field(default=None, metadata={"static": True})

    def __post_init__(self):
        self.times = jnp.arange(4)  #! OAK106


@jax.jit
def energy(signal):
    return jnp.sum(signal.values**2)


steps = jnp.linspace(0.0, 1.0, 4)
print(energy(Window(jnp.ones(4))))
# JAX compares the arrays with those of an earlier call, or where hashes collide of this one.
print(energy(Signal(jnp.ones(4), steps)))  #! OAK106 #~ ValueError
print(energy(Signal(jnp.ones(4), times=steps + 1.0)))  #! OAK106 #~ ValueError
