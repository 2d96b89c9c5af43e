# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


def elastic_net(w, x, y, ratio, power):
    loss = jnp.mean((x @ w - y) ** 2)
    if ratio > 0:
        loss = loss + ratio * jnp.abs(w).sum()
    for _ in range(power):
        loss = jnp.sqrt(loss + 1.0)
    return loss


gradient = jax.grad(elastic_net)
hessian = jax.jacfwd(jax.grad(elastic_net, argnums=0), argnums=0)
data = jnp.eye(2), jnp.ones(2)
print(gradient(jnp.ones(2), *data, 0.1, 2), hessian(jnp.ones(2), *data, 0.0, 1))
