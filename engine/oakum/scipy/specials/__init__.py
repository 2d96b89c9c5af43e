"""What the functions of `oakum.scipy.special` are made of."""
