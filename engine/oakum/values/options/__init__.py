"""Options: their values, how they are read, and the context managers that set them."""
