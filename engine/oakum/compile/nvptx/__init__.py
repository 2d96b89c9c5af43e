"""The back end of NVIDIA GPUs: nests and problems as kernels of PTX, launched by the host."""
