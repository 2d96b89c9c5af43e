"""JAX's semantics: transforms, control flow, public functions, trees."""
