# category: clean/python-loop-on-tracer
import jax
import jax.numpy as jnp


def flatten_parameters(tree):
    pending, total = [("root", tree)], 0.0
    while pending:
        name, node = pending.pop()
        if isinstance(node, dict):
            pending.extend((f"{name}.{key}", child) for key, child in node.items())
        elif "bias" not in name:
            total = total + jnp.sum(node**2)
    return total


penalty = jax.jit(jax.grad(flatten_parameters))
print(penalty({"a": {"kernel": jnp.ones(2), "bias": jnp.ones(1)}}))
