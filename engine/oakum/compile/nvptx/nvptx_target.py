"""The target of kernels, and the way from LLVM's text to PTX.

LLVM ends the process where it cannot select an intrinsic; so what a text calls is compared with
what is known to work before LLVM gets to see it.
"""

from __future__ import annotations

import functools
import re
from types import ModuleType
from typing import Any, Final

from oakum.compile.native import object_cache
from oakum.compile.native.target import Target, binding

_TRIPLE: Final = "nvptx64-nvidia-cuda"

FEATURES: Final = {"sm_80": "+ptx80", "sm_90": "+ptx80", "sm_100": "+ptx88", "sm_120": "+ptx88"}
"""The processors that kernels are made for, each with the least version of PTX that has them."""

DEFAULT: Final = "sm_80"
"""The oldest of them, whose kernels run on all."""

_LEVEL: Final = 3


class UnsupportedKernelError(Exception):
    """The text of a kernel needs what LLVM does not have for GPUs."""


@functools.cache
def target(sm: str = DEFAULT) -> Target:
    """Returns a processor: 16 bytes are one access of a thread."""
    return Target(_TRIPLE, str(_machine(sm).target_data), sm, FEATURES[sm], 16, 32, False)


@functools.cache
def _machine(sm: str) -> Any:
    library = binding()
    library.initialize_all_targets()
    library.initialize_all_asmprinters()
    found = library.Target.from_triple(_TRIPLE)
    return found.create_target_machine(cpu=sm, features=FEATURES[sm], opt=_LEVEL)


def emit_ptx(text: str, sm: str = DEFAULT) -> str:
    """Returns the PTX of a module of LLVM's text, from the cache where it was made before."""
    library = binding()
    version = ".".join(map(str, library.llvm_version_info))
    key = object_cache.key(
        text, triple=_TRIPLE, cpu=sm, features=FEATURES[sm], level=_LEVEL, llvm=version
    )
    found = object_cache.lookup(key)
    if found is None:
        found = _compile(library, text, sm).encode()
        object_cache.store(key, found)
    return found.decode()


def _compile(library: ModuleType, text: str, sm: str) -> str:
    _verify_intrinsics(text)
    with library.parse_assembly(text, library.create_context()) as module:
        module.verify()
        # Threads are the vectors of a GPU; accesses side by side become those of 16 bytes.
        options = library.create_pipeline_tuning_options(speed_level=_LEVEL)
        options.loop_vectorization, options.slp_vectorization = False, True

        options.loop_unrolling = False  # The driver's compiler unrolls constant numbers of passes.
        builder = library.create_pass_builder(_machine(sm), options)
        builder.getModulePassManager().run(module, builder)
        return _machine(sm).emit_assembly(module)


_KNOWN: Final = frozenset(
    (
        "abs bitreverse bswap ceil copysign ctlz ctpop cttz fabs floor fma fptosi fptoui fshl fshr "
        "maximum minimum nvvm rint roundeven smax smin sqrt trunc umax umin vector"
    ).split()
)


def _verify_intrinsics(text: str) -> None:
    for name in sorted(set(re.findall(r"@llvm\.(\w+)", text))):
        if name not in _KNOWN:
            raise UnsupportedKernelError(f"LLVM has no llvm.{name} for GPUs")
