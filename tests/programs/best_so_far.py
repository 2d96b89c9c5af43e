# category: leak-closure
import jax
import jax.numpy as jnp


def minimize(f, starts):
    best = None

    def attempt(x):
        nonlocal best
        for _ in range(3):
            x = x - 0.1 * jax.grad(f)(x)
        value = f(x)
        best = value if best is None else jnp.minimum(best, value)  #! OAK104
        return x

    ends = jax.vmap(attempt)(starts)
    return ends, best


ends, best = minimize(lambda x: (x - 1.0) ** 2, jnp.arange(3.0))
print(best + ends)  #~ UnexpectedTracerError
