# category: python-loop-on-tracer
import jax
import jax.numpy as jnp


@jax.custom_jvp
def kepler(mean_anomaly, ecc):
    """Eccentric anomaly by fixed-point iteration."""
    e = mean_anomaly
    for _ in range(20):
        e = mean_anomaly + ecc * jnp.sin(e)
    return e


@kepler.defjvp
def kepler_jvp(primals, tangents):
    m, ecc = primals
    dm, decc = tangents
    e = kepler(m, ecc)
    while jnp.abs(e - ecc * jnp.sin(e) - m) > 1e-6:  #! OAK202 11 #~ TracerBoolConversionError
        e = m + ecc * jnp.sin(e)
    denom = 1 - ecc * jnp.cos(e)
    return e, (dm + jnp.sin(e) * decc) / denom


def radius(t, ecc):
    return 1 - ecc * jnp.cos(kepler(t, ecc))


print(radius(0.3, 0.1))
print(jax.vmap(jax.grad(radius), in_axes=(0, None))(jnp.array([0.3, 1.2]), 0.1))
