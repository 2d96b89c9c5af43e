"""Transformations of functions; `oakum` itself has their names."""
