"""The parts of `jax.experimental` that programs commonly use."""

import importlib
from typing import Any, Final

from oakum.experimental.callbacks import (
    cur_qdd as cur_qdd,
)
from oakum.experimental.callbacks import (
    io_callback as io_callback,
)
from oakum.experimental.callbacks import (
    primal_tangent_dtype as primal_tangent_dtype,
)

_MODULES: Final = frozenset(
    "checkify jet mesh_utils multihost_utils ode optimizers pjit shard_map stax".split()
)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"oakum.experimental.{name}")
    raise AttributeError(f"module 'oakum.experimental' has no attribute {name!r}")
