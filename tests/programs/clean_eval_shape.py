# category: clean/traced-shape
import jax
import jax.numpy as jnp


def conv_stack(x):
    kernel = jnp.ones((3, 3, 1, 2))
    return jax.lax.conv_general_dilated(
        x, kernel, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


@jax.jit
def head(key, x):
    shape = jax.eval_shape(conv_stack, x).shape
    features = conv_stack(x).reshape(shape[0], -1)
    w = jax.random.normal(key, (features.shape[1], 2))
    template = jax.tree.map(lambda a: jnp.zeros(a.shape, a.dtype), {"w": w})
    return features @ w + template["w"].sum()


print(head(jax.random.key(0), jnp.ones((1, 5, 5, 1))))
