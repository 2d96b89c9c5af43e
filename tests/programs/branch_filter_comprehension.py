# category: python-branch-on-tracer
import jax
import jax.numpy as jnp


def leaf_norms(tree):
    return {k: jnp.linalg.norm(v) for k, v in tree.items()}


def drop_small(grads, eps=1e-6):
    norms = leaf_norms(grads)
    return {k: g for k, g in grads.items() if norms[k] > eps}  #! OAK201 #~ TracerBoolConversionError


def apply_sparse(params, grads, lr):
    kept = drop_small(grads)
    return {k: p - lr * kept[k] if k in kept else p for k, p in params.items()}


update = jax.jit(apply_sparse, donate_argnums=())
params = {"w": jnp.ones((2, 2)), "b": jnp.zeros(2)}
print(apply_sparse(params, params, 0.1))
print(update(params, params, 0.1))
