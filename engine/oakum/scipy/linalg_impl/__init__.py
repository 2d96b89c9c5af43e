"""What `oakum.scipy.linalg` is made of."""
