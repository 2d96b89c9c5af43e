"""Devices, meshes, and how arrays are spread over them."""

from oakum.values import lazy_modules

# The functions that the linter reads the declarations of ask it for what few calls say.
lazy_modules.defer("oakum.runtime.topology", ("ignored_placement",))
