"""What libraries beside JAX do: NumPy, flax, equinox, optax."""
