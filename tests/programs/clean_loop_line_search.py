# category: clean/python-loop-on-tracer
import jax
import jax.numpy as jnp


@jax.jit
def rosenbrock(p):
    x, y = p
    return (1 - x) ** 2 + 100.0 * (y - x**2) ** 2


value_and_grad = jax.jit(jax.value_and_grad(rosenbrock))


def backtrack(p, g, f0, c=1e-4):
    """Armijo search on the host: nothing here is traced."""
    t = 1.0
    while rosenbrock(p - t * g) > f0 - c * t * jnp.vdot(g, g):
        t *= 0.5
        if t < 1e-8:
            break
    return t


p = jnp.array([-1.2, 1.0])
for it in range(3):
    f, g = value_and_grad(p)
    if jnp.linalg.norm(g) < 1e-3:
        break
    p = p - backtrack(p, g, f) * g
print(float(rosenbrock(p)))
