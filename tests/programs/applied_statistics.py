# category: python-branch-on-tracer
import sys

import flax.linen as nn
import jax
import jax.numpy as jnp


class RunningRange(nn.Module):
    features: int

    def setup(self):
        self.low = self.variable("ranges", "low", lambda: jnp.zeros(self.features))
        self.high = self.variable("ranges", "high", lambda: jnp.ones(self.features))

    def __call__(self, rows):
        return (rows - self.low.value) / (self.high.value - self.low.value)

    def widen(self, rows: jax.Array):
        low = jnp.minimum(self.low.value, rows.min(axis=0))
        high = jnp.maximum(self.high.value, rows.max(axis=0))
        if jnp.any(high == low):  #! OAK201 #~ TracerBoolConversionError
            high = high + 1.0
        self.low.value, self.high.value = low, high
        return high - low


def main(name, method):
    module = getattr(sys.modules[__name__], name)(3)
    rows = jnp.arange(6.0).reshape(2, 3)
    kept = module.init(jax.random.key(0), rows)
    options = {"method": method, "mutable": ["ranges"]}
    widen = getattr(jax, "".join(["j", "it"]))(lambda kept, rows: module.apply(kept, rows, **options))
    print(widen(kept, rows))


main("Running" + "Range", "".join(["wi", "den"]))
