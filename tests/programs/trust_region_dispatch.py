# category: python-branch-on-tracer
import jax
import jax.numpy as jnp


def cauchy_point(g, radius):
    return -radius * g / jnp.linalg.norm(g)


def newton_point(g, radius, hess):
    p = -jnp.linalg.solve(hess, g)
    return p if jnp.linalg.norm(p) <= radius else cauchy_point(g, radius)  #! OAK201  #~ TracerBoolConversionError


SOLVERS = {
    "cauchy": lambda g, radius, hess: cauchy_point(g, radius),
    "newton": newton_point,
}


def make_solver(name):
    solver = SOLVERS[name]

    def iterate(f, x, radius):
        g = jax.grad(f)(x)
        return x + solver(g, radius, jax.hessian(f)(x))

    return jax.jit(iterate, static_argnums=0)


def rosenbrock(v):
    return (1 - v[0]) ** 2 + 10.0 * (v[1] - v[0] ** 2) ** 2


print(make_solver("cauchy")(rosenbrock, jnp.zeros(2), 0.5))
print(make_solver("newton")(rosenbrock, jnp.zeros(2), 0.5))
