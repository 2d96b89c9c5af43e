# category: branch
import jax
import jax.numpy as jnp


class Solver:
    def __init__(self):
        self.failed = 0

    def residual(self, x):
        try:
            if jnp.any(x < 0):  #! OAK201 #~ TracerBoolConversionError
                return -x
            return jnp.sqrt(x)
        except Exception:
            self.failed += 1
            raise


print(jax.vmap(Solver().residual)(jnp.ones((2, 3))))
