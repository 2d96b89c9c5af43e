# category: boolean-mask-index
import jax
import jax.numpy as jnp
import numpy as np


class Cleaner:
    sentinel = -999.0

    def valid(self, x):
        return jnp.isfinite(x) & (x != self.sentinel)

    def fill(self, x):
        ok = self.valid(x)
        median = jnp.median(x[ok])  #! OAK213 #~ NonConcreteBooleanIndexError
        return jnp.where(ok, x, median)


cleaner = Cleaner()
columns = np.array([[1.0, np.nan, 3.0], [-999.0, 2.0, 2.0]], np.float32)
print(cleaner.fill(columns[0]))
print(jax.vmap(cleaner.fill)(columns))
