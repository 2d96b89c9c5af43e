"""The public functions that transform functions and place values; `oakum` has their names."""

from oakum.values import lazy_modules

# What carries out functions that are declared in other modules.
lazy_modules.defer("oakum.api", ("array_assembly", "array_transfers", "environment"))
