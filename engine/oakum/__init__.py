"""oakum: JAX's API, checked before it runs.

`import oakum` loads almost nothing: a namespace or a function is imported from the module that
declares it when it is first asked for.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

from oakum.version import __version__

if TYPE_CHECKING:
    from oakum import (
        lax as lax,
        nn as nn,
        numpy as numpy,
        random as random,
        scipy as scipy,
        tree as tree,
        tree_util as tree_util,
    )

_NAMESPACES: Final = (
    "ad_checkpoint custom_derivatives debug dtypes errors experimental flatten_util image "
    "lax nn numpy ops profiler random scipy tree tree_util typing"
).split()

_DECLARED: Final = {
    "oakum.array": ("Array",),
    "oakum.transforms": (
        "checkpoint",
        "closure_convert",
        "custom_gradient",
        "custom_jvp",
        "custom_vjp",
        "ensure_compile_time_eval",
        "eval_shape",
        "grad",
        "hessian",
        "jacfwd",
        "jacobian",
        "jacrev",
        "jit",
        "jvp",
        "linear_transpose",
        "linearize",
        "make_jaxpr",
        "named_call",
        "named_scope",
        "pmap",
        "pure_callback",
        "remat",
        "shard_map",
        "value_and_grad",
        "vjp",
        "vmap",
    ),
    "oakum.devices": (
        "block_until_ready",
        "copy_to_host_async",
        "device_count",
        "device_get",
        "device_put",
        "device_put_replicated",
        "device_put_sharded",
        "devices",
        "local_device_count",
        "local_devices",
    ),
}
"""The public functions of the package itself, under the modules that declare them."""

_MODULE_OF: Final = {name: module for module, names in _DECLARED.items() for name in names}

__all__ = ["__version__"]


def __getattr__(name: str) -> Any:
    if name in _NAMESPACES:
        return importlib.import_module(f"oakum.{name}")
    if (module := _MODULE_OF.get(name)) is not None:
        return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module 'oakum' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMESPACES, *_MODULE_OF})
