# category: deleted-array
import jax
import jax.numpy as jnp


def released(weights, batch):
    """The gradient is freed before its norm is taken; the loss is freed after its last use."""
    loss, slope = jax.value_and_grad(lambda w: jnp.mean((batch @ w) ** 2))(weights)
    stepped = weights - 0.1 * slope
    print(float(loss))
    loss.delete()
    slope.delete()
    return stepped, jnp.linalg.norm(slope)  #! OAK701 #~ RuntimeError


print(released(jnp.ones(3), jnp.ones((2, 3))))
