"""What `oakum.scipy.optimize` is made of."""
