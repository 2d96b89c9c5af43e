# category: clean/numpy-call
"""What NumPy made an array of is no tracer: on one the conversion raises, and that is caught."""

import pickle

import jax
import jax.numpy as jnp
import numpy as np


def is_fixed(poses):
    try:
        array = np.asarray(poses, dtype=np.float32)
    except Exception:
        return False
    return array.ndim == 3 and bool(np.isfinite(array).all())


@jax.jit
def project(poses):
    if is_fixed(poses):
        return poses
    return jax.tree.map(lambda pose: pose * 2, poses)


print(project(pickle.loads(pickle.dumps(np.ones((2, 4, 4))))), is_fixed(jnp.ones((1, 2, 2))))
