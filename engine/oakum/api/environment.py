"""Information about the engine for programs, and control of its caches."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
from typing import Any

from oakum import config, dtypes
from oakum.runtime.topology import devices
from oakum.tracing.jaxpr_trace import Reference
from oakum.tracing.shape_dtype_struct import ShapeDtypeStruct
from oakum.tracing.trace import aval_of
from oakum.values import host
from oakum.values.argument_types import Slice
from oakum.values.avals import ShapedArray
from oakum.version import __version__


def describe() -> str:
    """Returns the versions and devices, as the report of an error needs them."""
    members = devices.devices()
    lines = {
        "oakum": __version__,
        "numpy": importlib.metadata.version("numpy"),
        "python": sys.version.replace("\n", " "),
        "device info": f"{members[0].device_kind}-{len(members)}, {len(members)} local devices",
        "process_count": 1,
        "platform": platform.uname(),
    }
    return "\n".join(f"{name}: {value}" for name, value in lines.items())


def clear_caches() -> None:
    """Forgets what was traced."""
    from oakum.compile.native import jit_link
    from oakum.transforms.jit import compiled_function

    compiled_function.clear()
    config.forget_keys()
    jit_link.free_ended()


def wait_for_effects() -> None:
    """Returns at once: effects happen while the program runs, in its order."""


def type_of(x: Any) -> object:
    """Returns the aval of an array, a number, a reference or a description of an array."""
    if isinstance(x, Reference):
        return x.type
    if isinstance(x, ShapeDtypeStruct):
        dtype = dtypes.canonicalize(host.read_dtype(x.dtype))
        return ShapedArray(tuple(x.shape), dtype, x.weak_type)
    return aval_of(x)


def slice_of(start: Any, size: Any, stride: Any) -> Slice:
    """Returns the slice of these arguments; one argument is a size."""
    if size is None:
        start, size = 0, start
    return Slice(0 if start is None else start, size, 1 if stride is None else stride)
