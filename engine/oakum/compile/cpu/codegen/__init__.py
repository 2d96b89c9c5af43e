"""Nests as LLVM text for the CPU."""
