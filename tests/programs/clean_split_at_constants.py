# category: clean/traced-slice-bound
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Layout:
    sizes: tuple[int, ...] = (2, 3)

    @property
    def bounds(self):
        ends = [sum(self.sizes[: k + 1]) for k in range(len(self.sizes))]
        return [slice(end - size, end) for end, size in zip(ends, self.sizes)]

    def unpack(self, flat):
        return [flat[bound] for bound in self.bounds]


layout = Layout()
print(jax.jit(layout.unpack)(jnp.arange(5.0)), jax.jit(lambda x: x[slice(None, 2)])(jnp.arange(3)))
