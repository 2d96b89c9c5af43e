"""Kernels with code of their own, written for one problem each."""
