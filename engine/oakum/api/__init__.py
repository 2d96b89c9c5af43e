"""The public functions that transform functions and place values; `oakum` has their names."""
