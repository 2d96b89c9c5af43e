# category: clean/non-jax-type-argument
import abc
import dataclasses

import jax
import jax.numpy as jnp


def static_field(**options):
    metadata = dict(options.pop("metadata", None) or {})
    metadata.setdefault("static", True)
    return dataclasses.field(metadata=metadata, **options)


def dataclass(cls):
    made = dataclasses.dataclass(frozen=True)(cls)
    fields = dataclasses.fields(made)
    meta = [field.name for field in fields if field.metadata.get("static")]
    data = [field.name for field in fields if field.name not in meta]
    return jax.tree_util.register_dataclass(made, data, meta)


@dataclass
class Neighbors:
    index: jax.Array
    update: object = static_field()
    size: int = static_field()


class Density(abc.ABC):
    @abc.abstractmethod
    def log_density(self, x):
        """The logarithm of the density."""

    def density(self, x):
        return jnp.exp(self.log_density(x))


class Normal(Density):
    def log_density(self, x):
        return -0.5 * x**2


@jax.jit
def energy(neighbors):
    return neighbors.update(neighbors.index)[: neighbors.size]


neighbors = Neighbors(jnp.arange(4.0), jnp.square, 2)
neighbors = jax.lax.fori_loop(0, 3, lambda i, state: state, neighbors)
print(energy(neighbors), Normal().density(jnp.ones(2)).shape)
