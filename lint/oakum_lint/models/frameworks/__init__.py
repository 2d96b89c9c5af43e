"""Libraries that are built on JAX: a table for each."""
