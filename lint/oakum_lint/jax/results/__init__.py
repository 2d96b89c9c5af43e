"""What functions of users have to return to JAX: derivative rules and callbacks."""
