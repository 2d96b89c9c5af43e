"""What runs programs: concrete arrays and their evaluation."""

from oakum.values import lazy_modules

# What few programs ask of their arrays.
lazy_modules.defer("oakum.runtime", ("array_methods", "array_repr", "dlpack_exchange", "shards"))
