# category: leak-global
import equinox as eqx
import jax
import jax.numpy as jnp

LAST_ATTENTION = None


class Attention(eqx.Module):
    wq: jax.Array
    wk: jax.Array
    heads: int = eqx.field(static=True)

    def __call__(self, x):
        global LAST_ATTENTION
        w = jax.nn.softmax((x @ self.wq) @ (x @ self.wk).T)
        if self.heads == 1:
            LAST_ATTENTION = w  #! OAK102
        return w @ x


@eqx.filter_jit
def evaluate(model, xs):
    return jax.vmap(model)(xs).mean()


model = Attention(jnp.eye(2), jnp.eye(2), heads=1)
print(evaluate(model, jnp.ones((2, 3, 2))))
print(LAST_ATTENTION.max(axis=-1))  #~ UnexpectedTracerError
