# category: python-branch-on-tracer
import equinox as eqx
import jax
import jax.numpy as jnp


class Inner(eqx.Module):
    weight: jax.Array
    size: int
    activation: callable = jnp.tanh

    def __call__(self, x):
        return self.activation(self.weight * x) if self.size > 1 else x


class Model(eqx.Module):
    inner: Inner
    layers: list
    limit: jax.Array

    def __call__(self, x):
        y = self.inner(x)
        for layer in self.layers:
            y = layer(y)
        if y.sum() > self.limit:  #! OAK201 #~ TracerBoolConversionError
            return y
        return y * 2


model = Model(Inner(jnp.ones(2), 2), [Inner(jnp.ones(2), 1)], jnp.ones(()))
arrays, static = eqx.partition(model, eqx.is_array)


def evaluate(arrays, x):
    return arrays, eqx.combine(arrays, static)(x)


print(eqx.combine(arrays, static)(jnp.ones(2)))
print(jax.lax.scan(evaluate, arrays, jnp.ones((3, 2))))
