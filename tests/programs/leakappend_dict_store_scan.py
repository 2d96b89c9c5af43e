# category: leak-append
import jax
import jax.numpy as jnp
from jax import lax


def forward_backward(log_pi, log_a, log_b):
    """HMM forward pass; keeps a debug dictionary."""
    debug = {}

    def step(alpha, log_bt):
        alpha = jax.nn.logsumexp(alpha[:, None] + log_a, axis=0) + log_bt
        debug["alpha"] = alpha  #! OAK101
        return alpha, alpha

    last, alphas = lax.scan(step, log_pi + log_b[0], log_b[1:])
    evidence = jax.nn.logsumexp(last)
    entropy = -(jnp.exp(debug["alpha"]) * debug["alpha"]).sum()  #~ UnexpectedTracerError
    return evidence, entropy, alphas


log_a = jnp.log(jnp.array([[0.9, 0.1], [0.2, 0.8]]))
print(forward_backward(jnp.log(jnp.full(2, 0.5)), log_a, jnp.zeros((4, 2))))
