# category: clean/scalar-cast-of-tracer
import jax
import jax.numpy as jnp

history = []


def report(loss, into=history):
    into.append(loss)


def objective(weights):
    loss = jnp.sum(weights**2)
    report(jax.lax.stop_gradient(loss))
    scale = float(jax.lax.stop_gradient(loss) + 1.0)
    level = float(jnp.floor(loss) * 2.0)
    return loss / scale + level


print(jax.grad(objective)(jnp.array([0.5, 2.0])))
print(jax.jacrev(objective)(jnp.array([0.5, 2.0])), history)
