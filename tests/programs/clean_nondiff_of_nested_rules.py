# category: clean/array-nondiff-argument
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def raised(order, distance):
    return jnp.maximum(distance, 1e-6) ** order


@raised.defjvp
def raised_tangent(order, primals, tangents):
    (distance,), (moved,) = primals, tangents
    return raised(order, distance), order * raised(order - 1, distance) * moved


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
@jax.jit
def kernel(order, distance):
    return 2 * raised(order, distance)


@kernel.defjvp
def kernel_tangent(order, primals, tangents):
    (distance,), (moved,) = primals, tangents
    return kernel(order, distance), order * kernel(order - 1, distance) * moved


print(jax.grad(functools.partial(kernel, 3.0))(2.0))
print(jax.grad(jax.grad(functools.partial(kernel, 3.0)))(2.0))
