# category: boolean-mask-index
import jax
import jax.numpy as jnp

PAD = 0


def cross_entropy(logits, labels):
    logp = jax.nn.log_softmax(logits)
    return -jnp.take_along_axis(logp, labels[:, None], axis=-1)[:, 0]


def masked(values, labels):
    return values[labels != PAD]  #! OAK213 #~ NonConcreteBooleanIndexError


def loss_fn(w, batch):
    per_token = cross_entropy(batch["x"] @ w, batch["y"])
    return masked(per_token, batch["y"]).mean()


batch = {"x": jnp.ones((4, 3)), "y": jnp.array([0, 1, 2, 1])}
w = jnp.zeros((3, 3))
print(loss_fn(w, batch))
print(jax.jit(jax.value_and_grad(loss_fn))(w, batch))
