"""The primitives of the engine under JAX's names: `add_p`, `dot_general_p`, `scan_p`."""

from oakum.api import primitive_registry
from oakum.tracing.trace import Primitive


def __getattr__(name: str) -> Primitive:
    """Returns a primitive by its name with `_p` behind it."""
    if name.endswith("_p"):
        known = primitive_registry.by_name()
        # JAX writes hyphens in the names of some primitives, `scatter-add`, and never in Python.
        for spelled in (name[:-2], name[:-2].replace("_", "-")):
            if spelled in known:
                return known[spelled]
    raise AttributeError(f"oakum has no primitive {name!r}")


def __dir__() -> list[str]:
    return sorted(f"{name.replace('-', '_')}_p" for name in primitive_registry.by_name())
