"""Classes, instances, functions and containers of the project."""
