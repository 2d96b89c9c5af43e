# category: silent/zero-gradient
import jax
import jax.numpy as jnp


def binarise(w):
    scale = jax.lax.stop_gradient(jnp.mean(jnp.abs(w)))
    return scale * jnp.sign(w)  #! OAK603


def loss(w, x, y):
    predict = jax.vmap(lambda row, w: jnp.tanh(row @ binarise(w)), in_axes=(0, None))
    return jnp.mean((predict(x, w) - y) ** 2)


def hits(w, x):
    return jnp.mean(jax.vmap(lambda row: jnp.round(row @ w))(x))  #! OAK603


def chosen(w, x, first):
    def row_of(row):
        def whole(w):
            return jnp.rint(w) * row  #! OAK603

        return jax.lax.cond(first, whole, lambda w: row - w // 1.0, w)

    return jnp.sum(jax.vmap(jax.checkpoint(row_of))(x))


w, x = jnp.ones(5), jnp.ones((8, 5))
assert jnp.all(jax.grad(loss)(w, x, jnp.ones(8)) == 0)
assert jnp.all(jax.grad(hits)(w, x) == 0)
assert jnp.all(jax.grad(chosen)(w, x, jnp.array(True)) == 0)
