# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


@jax.jit
def step(w, x, y):
    loss, g = jax.value_and_grad(lambda u: jnp.mean((x @ u - y) ** 2))(w)
    return w - 0.1 * g, loss


def fit(x, y, tolerance=1e-3, limit=20):
    w, history = jnp.zeros(x.shape[1]), []
    for i in range(limit):
        w, loss = step(w, x, y)
        history.append(float(loss))
        if loss < tolerance or (i > 2 and abs(history[-2] - loss) < 1e-6):
            print(f"stopped at {i} with {loss:.4f}")
            break
    return w, min(history)


print(fit(jnp.eye(3), jnp.ones(3)))
