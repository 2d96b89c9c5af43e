# category: dynamic-shape-op
import jax
import jax.numpy as jnp


def local_maxima(signal):
    left, mid, right = signal[:-2], signal[1:-1], signal[2:]
    return (mid > left) & (mid > right)


def peak_positions(signal, dt):
    is_peak = local_maxima(signal)
    return (jnp.flatnonzero(is_peak) + 1) * dt  #! OAK210 13 #~ ConcretizationTypeError


def heart_rate(signal, dt=0.01):
    times = peak_positions(signal, dt)
    return 60.0 / jnp.mean(jnp.diff(times))


signal = jnp.sin(jnp.arange(0.0, 20.0, 0.1))
print(heart_rate(signal))
rates = jax.vmap(heart_rate)(jnp.stack([signal, -signal]))
print(rates)
