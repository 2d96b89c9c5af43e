# category: range-of-tracer
import equinox as eqx
import jax
import jax.numpy as jnp


class RotaryCache(eqx.Module):
    base: jax.Array
    turns: jax.Array

    @jax.named_scope("rotate")
    def rotate(self, x):
        for _ in range(self.turns):  #! OAK205 24 #~ TracerIntegerConversionError
            x = jnp.stack([-x[1], x[0]]) * self.base
        return x


class Model(eqx.Module):
    cache: RotaryCache
    bias: jax.Array

    def __call__(self, x):
        return jax.vmap(self.cache.rotate)(x) + self.bias


model = Model(RotaryCache(jnp.float32(1.0), jnp.int32(2)), jnp.zeros(2))
print(model(jnp.ones((3, 2))).shape)
grads = eqx.filter_jit(eqx.filter_grad(lambda m, x: m(x).sum()))
print(grads(model, jnp.ones((3, 2))).bias)
