"""Jupyter notebooks: their names, and the Python of their cells."""
