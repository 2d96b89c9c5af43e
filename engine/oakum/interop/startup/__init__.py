"""What Python runs at the start of a process in which `import jax` gives oakum."""
