# category: format-of-tracer
import jax
import jax.numpy as jnp


def gauss_seidel(a, b, x, i):
    updated = (b[i] - a[i] @ x + a[i, i] * x[i]) / a[i, i]
    residual = abs(updated - x[i])
    note = f"row {i}: moved by {residual:.2e}"  #! OAK217  #~ TypeError
    return x.at[i].set(updated), note


def sweep(a, b):
    def body(i, x):
        x, _ = gauss_seidel(a, b, x, i)
        return x

    return jax.lax.fori_loop(0, b.shape[0], body, jnp.zeros_like(b))


print(sweep(2.0 * jnp.eye(2), jnp.ones(2)))
