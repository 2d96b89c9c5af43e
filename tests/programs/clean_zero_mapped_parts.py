# category: clean/zero-gradient
import jax
import jax.numpy as jnp
from jax import lax


def straight_through(w):
    return w + lax.stop_gradient(jnp.sign(w) - w)


def binarised(w, x):
    return jnp.sum(jax.vmap(lambda row: row @ straight_through(w))(x))


def spiking(w, x):
    """The carry has a derivative, and comes out."""

    def body(potential, row):
        potential = 0.9 * potential + row @ w
        fired = (potential > 0.5).astype(jnp.float32)
        return potential * (1.0 - 0.5 * fired), fired

    potential, fired = lax.scan(body, 0.0, x)
    return jnp.sum(fired) + potential


def delayed(w, x):
    """What the first rounds give depends on nothing; what the later ones give does."""

    def body(carry, row):
        late, later = carry
        return (row @ w, late), jnp.sign(w[0]) * later

    return jnp.sum(lax.scan(body, (0.0, 0.0), x)[1])


def no_rounds(w, x):
    return jnp.sum(lax.fori_loop(0, len(x) - 8, lambda i, w: jnp.round(w), w))


def gated(w, x):
    mask = jax.vmap(lambda row: (row @ w > 0).astype(jnp.float32))(x)
    return jnp.sum(mask * jax.vmap(lambda row: jnp.where(row > 0, row, 0.0) @ w)(x))


def with_accuracy(w, x):
    logits = jax.vmap(lambda row: jnp.stack([row @ w, 0.0]))(x)
    hits = jax.vmap(lambda row: (jnp.argmax(row) == 0).astype(jnp.float32))(logits)
    return -jnp.mean(jax.nn.log_softmax(logits)[:, 0]), hits.mean()


def running(w, x):
    return jnp.sum(lax.associative_scan(lambda a, b: a + b * w, jnp.sign(w) * x))


def one_branch(w, x):
    return jnp.sum(lax.map(lambda row: lax.cond(row[0] > 2, jnp.round, jnp.tanh, w), x))


w, x = jnp.full(5, 0.3), jnp.ones((8, 5))
assert jnp.any(jax.grad(binarised)(w, x) != 0)
assert jnp.any(jax.grad(spiking)(w, x) != 0)
assert jnp.any(jax.grad(delayed)(w, x) != 0)
assert jnp.any(jax.grad(no_rounds)(w, x) != 0)
assert jnp.any(jax.grad(gated)(w, x) != 0)
assert jnp.any(jax.grad(running)(w, x) != 0)
assert jnp.any(jax.grad(one_branch)(w, x) != 0)
assert jnp.any(jax.grad(with_accuracy, has_aux=True)(w, x)[0] != 0)
