# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp


class BatchNorm:
    momentum = 0.9

    def __call__(self, stats, x, train):
        mean, var = x.mean(0), x.var(0)
        use_batch = bool(train)  #! OAK204 26 #~ TracerBoolConversionError
        if use_batch:
            stats = self.momentum * stats + (1 - self.momentum) * mean
            return (x - mean) / jnp.sqrt(var + 1e-5), stats
        return x - stats, stats


norm = BatchNorm()
x = jnp.arange(6.0).reshape(3, 2)
y, stats = norm(jnp.zeros(2), x, True)
print(stats)
apply = jax.jit(norm.__call__)
print(apply(stats, x, train=False))
