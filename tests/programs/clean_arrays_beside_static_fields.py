# category: clean/leak-metadata
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Signal:
    values: jax.Array
    times: jax.Array
    name: object = dataclasses.field(metadata={"static": True})


@dataclasses.dataclass
class Plan:
    """No pytree: nothing compares it."""

    steps: object = dataclasses.field(metadata={"static": True})


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Window:
    values: jax.Array
    size: object = dataclasses.field(default=None, metadata={"static": True})

    def __post_init__(self):
        self.size = (4, "hann")


@jax.jit
def energy(signal):
    return jnp.sum(signal.values**2)


steps = jnp.linspace(0.0, 1.0, 4)
print(energy(Window(jnp.ones(4))), Plan(steps))
print(energy(Signal(jnp.ones(4), steps, "first")))
print(energy(Signal(jnp.ones(4), times=steps + 1.0, name="second")))
