# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp
from settings import SETTINGS, Mode, build

layers = [build(mode) for mode in Mode]
network = jax.jit(lambda x: sum(layer(x) for layer in layers))
print(network(jnp.ones(SETTINGS["width"])))
