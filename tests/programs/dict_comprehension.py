# category: format-of-tracer
import jax
import jax.numpy as jnp


def summary(tree):
    flat, _ = jax.tree_util.tree_flatten_with_path(tree)
    return {jax.tree_util.keystr(path): f"{leaf.mean():+.2f}" for path, leaf in flat}  #! OAK217  #~ TypeError


@jax.jit
def audit(tree):
    summary(tree)
    return jax.tree.map(jnp.zeros_like, tree)


print(audit({"w": jnp.ones(2)}))
