"""Places as reports name them: in cells of notebooks, and in the docstrings of modules."""
