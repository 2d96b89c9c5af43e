# category: clean/python-branch-on-tracer
import equinox as eqx
import jax
import jax.numpy as jnp


class Penalised(eqx.Module):
    inner: eqx.nn.Linear

    def penalty(self):
        if self.inner.bias is not None and self.inner.use_bias:
            return jnp.maximum(jnp.abs(self.inner.weight).max() - 1.0, 0.0)
        return jnp.zeros(())

    def report(self):
        return "large" if jnp.abs(self.inner.weight).max() > 1.0 else "small"


@eqx.filter_jit
def penalise(model):
    return model.penalty()


model = Penalised(eqx.nn.Linear(3, 3, key=jax.random.key(0)))
print(penalise(model), model.report())
grads = jax.grad(lambda m: m.penalty() if m.report() == "large" else m.penalty() * 0.5)(model)
print(grads.inner.weight)
