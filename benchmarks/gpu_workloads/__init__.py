"""What `benchmarks/gpu.py` measures."""
