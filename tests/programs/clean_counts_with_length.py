# category: clean/dynamic-shape-op
import jax
import jax.numpy as jnp

CLASSES = 4


def confusion(predicted, actual):
    flat = predicted * CLASSES + actual
    return jnp.bincount(flat, length=CLASSES**2).reshape(CLASSES, CLASSES)


def per_sample(tokens):
    spans = jnp.repeat(tokens, 2, total_repeat_length=tokens.size * 2)
    return jnp.where(spans > 1, spans, 0)


labels = jnp.array([0, 1, 3])
print(jax.jit(confusion)(labels, labels), jax.vmap(per_sample)(labels[None]))
