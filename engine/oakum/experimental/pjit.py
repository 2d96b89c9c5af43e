"""The former name of `jit`."""

from oakum.transforms.staging import jit as pjit

__all__ = ["pjit"]
