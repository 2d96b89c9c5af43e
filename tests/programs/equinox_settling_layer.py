# category: irreversible-loop
import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax


class Settling(eqx.Module):
    mix: eqx.nn.Linear
    norm: eqx.nn.LayerNorm

    def __init__(self, size, key):
        self.mix = eqx.nn.Linear(size, size, key=key)
        self.norm = eqx.nn.LayerNorm(size)

    def __call__(self, x, tolerance):
        def again(carry):
            return jnp.abs(carry[1] - carry[0]).max() > tolerance

        def once(carry):
            return carry[1], jnp.tanh(self.norm(self.mix(carry[1])))

        return lax.while_loop(again, once, (x + 1, x))[1]  #! OAK604


@eqx.filter_jit
def gradient(model, x):
    return eqx.filter_grad(lambda m: m(x, 1e-3).sum())(model)  #~ ValueError


print(gradient(Settling(4, jax.random.key(0)), jnp.ones(4)))
