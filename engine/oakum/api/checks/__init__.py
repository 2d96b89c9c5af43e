"""The checks of a run: `oakum run`, cells of notebooks, tests, and programs on real JAX."""
