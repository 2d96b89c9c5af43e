# category: sequence-operand
# A converter runs after `__post_init__`, which gets the default as it stands.
import equinox as eqx
import jax
import jax.numpy as jnp


class Orbital(eqx.Module):
    powers: jax.Array = eqx.field(converter=jnp.asarray, default=(0, 0, 0))
    total: jax.Array | None = None

    def __post_init__(self):
        self.total = jnp.sum(self.powers)  #! OAK503 #~ TypeError


print(Orbital().total)
