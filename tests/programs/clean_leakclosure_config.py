# category: clean/leak-closure
import jax
import jax.numpy as jnp


def make_loss(scale, shift=jnp.zeros(2)):
    calls = 0

    def bump():
        nonlocal calls
        calls += 1
        return calls

    def loss(w, x, offset=0.5):
        best = x[0]

        def keep(v):
            nonlocal best
            best = jnp.maximum(best, v)

        for i in range(x.shape[0]):
            keep(x[i])
        return jnp.sum((w * scale + shift) ** 2) + best + offset

    return loss, bump


loss, bump = make_loss(2.0)
value, grad = jax.jit(jax.value_and_grad(loss))(jnp.ones(2), jnp.arange(3.0))
print(value, grad, bump())
