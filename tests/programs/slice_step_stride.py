# category: traced-slice-bound
import jax
import jax.numpy as jnp
import equinox as eqx


class Downsample(eqx.Module):
    stride: jax.Array
    scale: float = eqx.field(static=True)

    def __call__(self, x):
        y = x[:: self.stride]  #! OAK214 #~ IndexError
        return y * self.scale


class Pipeline(eqx.Module):
    stages: list

    def __call__(self, x):
        for stage in self.stages:
            x = stage(x)
        return x


down = Downsample(jnp.array(2), 0.5)
pipe = Pipeline([jnp.abs, down])
print(pipe(jnp.arange(5.0)))
print(eqx.filter_jit(pipe)(jnp.arange(5.0)))
