# category: clean/python-loop-on-tracer
import jax
import jax.numpy as jnp


def newton(f, x, tol=1e-5, limit=30):
    slope = jax.grad(f)

    def unfinished(carry):
        x, i = carry
        return (jnp.abs(f(x)) > tol) & (i < limit)

    def improve(carry):
        x, i = carry
        return x - f(x) / slope(x), i + 1

    return jax.lax.while_loop(unfinished, improve, (x, 0))[0]


roots = jax.jit(jax.vmap(lambda c: newton(lambda x: x**2 - c, 1.0)))
print(roots(jnp.array([2.0, 9.0])))
