"""What the functions of `oakum.scipy.fft`, `.signal` and `.ndimage` are made of."""
