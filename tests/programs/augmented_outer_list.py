# category: leak-append
import jax
import jax.numpy as jnp


def collect(f):
    residuals = [[], {}]

    def wrapped(x):
        y = f(x)
        rows, table = residuals
        rows += [y - x]  #! OAK101
        table |= {"norm": jnp.linalg.norm(y)}  #! OAK101
        return y

    return jax.vmap(wrapped), residuals


smooth, residuals = collect(lambda x: 0.5 * (x + jnp.roll(x, 1)))
smooth(jnp.ones((2, 3)))
print(jnp.stack(residuals[0]))  #~ UnexpectedTracerError
