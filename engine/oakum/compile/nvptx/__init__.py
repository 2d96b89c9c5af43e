"""The back end of NVIDIA GPUs: nests and problems as kernels of PTX, run by a program of the host."""
