# category: format-of-tracer
import jax
import jax.numpy as jnp


class ConvergenceError(RuntimeError):
    pass


def status(iteration, residual):
    return "iteration %d: residual %.2e" % (iteration, residual)  #! OAK217 #~ ConcretizationTypeError


@jax.jit
def jacobi(a, b):
    d = jnp.diag(a)
    x = jnp.zeros_like(b)
    messages = []
    for it in range(3):
        x = (b - (a - jnp.diag(d)) @ x) / d
        messages.append(status(it, jnp.linalg.norm(a @ x - b)))
    if len(messages) > 5:
        raise ConvergenceError(messages[-1])
    return x


print(status(0, 1.0))
print(jacobi(jnp.array([[4.0, 1.0], [1.0, 3.0]]), jnp.ones(2)))
