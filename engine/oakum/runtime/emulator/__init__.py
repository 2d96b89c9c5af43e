"""An emulator of NVIDIA GPUs: runs PTX on NumPy, and reports what is wrong with it.

It stands in for a device in tests and where there is no GPU: see `emulated_device`.
"""
