# category: list-index-by-tracer
import jax
import jax.numpy as jnp
from jax.lax import scan


def relu_expert(w, x):
    return jax.nn.relu(x @ w)


def tanh_expert(w, x):
    return jnp.tanh(x @ w)


EXPERTS = (relu_expert, tanh_expert, lambda w, x: x @ w)


def route(logits):
    return jnp.argmax(logits, axis=-1)


def apply_tokens(weights, tokens, logits):
    def body(total, inputs):
        token, choice = inputs
        expert = EXPERTS[choice]  #! OAK206 26 #~ TracerIntegerConversionError
        out = expert(weights[0], token)
        return total + out.sum(), out

    return scan(body, 0.0, (tokens, route(logits)))


weights = [jnp.eye(2)]
print(apply_tokens(weights, jnp.ones((4, 2)), jnp.ones((4, 3))))
