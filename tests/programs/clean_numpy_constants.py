# category: clean/numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np
from scipy import signal as dsp


class Resampler:
    def __init__(self, taps, cutoff):
        self.kernel = np.asarray(dsp.firwin(taps, cutoff), np.float32)
        self.log_gain = np.log(np.sum(np.abs(self.kernel)))

    def __call__(self, x):
        padded = jnp.pad(x, np.size(self.kernel) // 2)
        return jnp.convolve(padded, self.kernel, mode="valid") * np.exp(-self.log_gain)


filters = [Resampler(5, c) for c in (0.2, 0.4)]
print([jax.jit(f)(jnp.ones(8)).shape for f in filters])
