"""Devices, meshes, and how arrays are spread over them."""
