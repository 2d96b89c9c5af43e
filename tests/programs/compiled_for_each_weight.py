# category: silent/jit-in-loop
import jax
import jax.numpy as jnp


def model(w, x):
    return jnp.tanh(w @ x)


def predict_all(w, xs, scale=0.5):
    batched = jax.jit(jax.vmap(lambda x: scale * model(w, x)))  #! OAK307
    return batched(xs)


def evaluate(weights, xs):
    return [float(predict_all(w, xs).mean()) for w in weights]


def apply(transform, xs):
    return jax.jit(lambda x: transform(x) + 1.0)(xs)


print(evaluate([jnp.ones(3) * k for k in range(3)], jnp.ones((4, 3))))
print([apply(transform, jnp.ones(3)) for transform in (jnp.sin, jnp.cos)])
