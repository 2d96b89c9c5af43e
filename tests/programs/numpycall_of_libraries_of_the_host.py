# category: numpy-call-on-tracer
import jax
import jax.numpy as jnp
from scipy import ndimage, signal
from scipy.spatial.distance import cdist


@jax.jit
def smooth(image, rate):
    blurred = ndimage.gaussian_filter(image, 1.0)  #! OAK208 #~ TracerArrayConversionError
    return jnp.sum(blurred) * rate


def distances(points, weights):
    return cdist(points, points) @ weights  #! OAK208


def filtered(wave):
    return signal.savgol_filter(wave, 5, 2)  #! OAK208


def compare(wave, image, points):
    print(jax.vmap(filtered)(wave), jax.jit(distances)(points, wave))


print(smooth(jnp.ones((4, 4)), 0.5))
compare(jnp.ones((2, 8)), jnp.ones((4, 4)), jnp.ones((3, 2)))
