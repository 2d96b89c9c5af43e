# category: bool-op-on-tracer
import jax
import jax.numpy as jnp


class Gate:
    """Rejects updates that are not finite or too large."""

    limit = 100.0

    def __init__(self, enabled=True):
        self.enabled = enabled

    def accepts(self, update):
        leaves = jax.tree.leaves(update)
        finite = jnp.stack([jnp.isfinite(v).all() for v in leaves]).all()
        return finite and jnp.max(jnp.abs(leaves[0])) < self.limit  #! OAK203 16 #~ TracerBoolConversionError


gate = Gate()


@jax.jit
def guarded(params, update):
    ok = gate.accepts(update) if gate.enabled else True
    return jax.tree.map(lambda p, u: jnp.where(ok, p + u, p), params, update)


print(guarded({"w": jnp.ones(2)}, {"w": jnp.full(2, 0.1)}))
