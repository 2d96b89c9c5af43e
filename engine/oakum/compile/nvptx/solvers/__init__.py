"""Kernels of problems that no nest solves."""
