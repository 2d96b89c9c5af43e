# category: range-of-tracer
import jax
import jax.numpy as jnp
import optax


def make_trainer(loss, tx):
    @jax.jit
    def fit(params, data, epochs=2):
        state = tx.init(params)
        for epoch in range(epochs):  #! OAK205 28 #~ TracerIntegerConversionError
            grads = jax.grad(loss)(params, data)
            updates, state = tx.update(grads, state)
            params = optax.apply_updates(params, updates)
        return params

    return fit


fit = make_trainer(lambda p, d: jnp.mean((d - p) ** 2), optax.sgd(0.1))
print(fit(jnp.zeros(2), jnp.ones((3, 2))))
print(fit(jnp.zeros(2), jnp.ones((3, 2)), epochs=5))
