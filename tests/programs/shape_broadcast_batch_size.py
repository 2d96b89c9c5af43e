# category: traced-shape
import jax
import jax.numpy as jnp


def initial_state(hidden, batch_size):
    h0 = jnp.tanh(hidden)
    return jnp.broadcast_to(h0, (batch_size, h0.shape[0]))  #! OAK211 #~ TypeError


def rnn(params, xs, batch_size):
    h = initial_state(params["h0"], batch_size)

    def cell(h, x):
        h = jnp.tanh(h @ params["wh"] + x @ params["wx"])
        return h, h.mean()

    return jax.lax.scan(cell, h, xs)[1]


params = {"h0": jnp.zeros(2), "wh": jnp.eye(2), "wx": jnp.ones((3, 2))}
loss = lambda p, xs, n: rnn(p, xs, n).sum()
xs = jnp.ones((4, 2, 3))
print(loss(params, xs, 2))
print(jax.grad(loss)(params, xs, 2)["h0"])
print(jax.jit(jax.value_and_grad(loss))(params, xs, 2)[0])
