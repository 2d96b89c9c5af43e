# category: hash-of-tracer
import jax
import jax.numpy as jnp

SPECIAL = frozenset({0, 1, 2})


def is_special(token):
    return token in SPECIAL  #! OAK216 #~ TypeError


def mask_special(tokens):
    return jax.vmap(lambda t: jnp.where(is_special(t), 0.0, 1.0))(tokens)


print([is_special(t) for t in (0, 5)])
print(mask_special(jnp.array([0, 5, 2])))
