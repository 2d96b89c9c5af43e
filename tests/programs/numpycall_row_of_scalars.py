# category: numpy-call-on-tracer
import jax
import numpy as np

WEIGHTS = np.array([0.2, 0.3, 0.5], np.float32)


def blend(parts):
    # NumPy makes an array of the list first.
    return (WEIGHTS * parts).sum()  #! OAK208 #~ TracerArrayConversionError


def loss(a, b):
    return blend([a * a, b, 1.0])


print(blend([1.0, 2.0, 3.0]))
print(jax.grad(loss)(1.0, 2.0))
