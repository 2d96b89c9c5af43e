# category: clean/python-branch-on-tracer
import flax.linen as nn
import jax
import jax.numpy as jnp


class Centred(nn.Module):
    decay: float = 0.9

    @nn.compact
    def __call__(self, x, train: bool):
        seen = self.has_variable("stats", "mean")
        mean = self.variable("stats", "mean", lambda: jnp.zeros(x.shape[1:]))
        if train:
            found = x.mean(axis=0)
            if seen:
                mean.value = self.decay * mean.value + (1 - self.decay) * found
            return x - found
        return x - mean.value


@jax.jit
def update(variables, batch):
    out, changed = Centred().apply(variables, batch, train=True, mutable=["stats"])
    return out, {**variables, **changed}


batch = jnp.ones((8, 4))
state = Centred().init(jax.random.key(0), batch, train=True)
out, state = update(state, batch)
print(Centred().apply(state, batch, train=False))
