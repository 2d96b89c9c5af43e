# category: python-branch-on-tracer
import equinox as eqx
import jax
import jax.numpy as jnp


class Penalised(eqx.Module):
    inner: eqx.nn.Linear

    def penalty(self):
        size = jnp.abs(self.inner.weight).max()
        if size > 1.0:  #! OAK201  #~ TracerBoolConversionError
            return size - 1.0
        return 0.0


@eqx.filter_jit
def penalise(model):
    return model.penalty()


print(penalise(Penalised(eqx.nn.Linear(3, 3, key=jax.random.key(0)))))
