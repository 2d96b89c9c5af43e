"""NVIDIA GPUs: their memory, the modules that are loaded on them, and launches."""
