# category: clean/format-of-tracer
import jax
import jax.numpy as jnp


@jax.jit
def step(x, i):
    loss = jnp.sum(x**2)
    jax.debug.print("step {i:d} loss {loss:.3f}", i=i, loss=loss)
    name = f"{x.shape[0]:03d}-{x.dtype}"
    jax.debug.callback(lambda v: print(f"{v:.2f} {name:>10s}"), loss)
    return x * 0.5


x = step(jnp.ones(2), 1)
print(f"{x[0]:.3f}", "%5.1f" % x.sum(), "{:e}".format(jnp.max(x)))
