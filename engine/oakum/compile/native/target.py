"""The machine that code is made for: its triple, its processor, its vectors.

Invariants:
- llvmlite is loaded when a target is first asked for, never at import.
"""

from __future__ import annotations

import functools
import importlib
from types import ModuleType
from typing import Any

from oakum.dtypes import DType
from oakum.values import lazy_modules
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """What code generation has to know of a machine."""

    triple: str
    layout: str
    cpu: str
    features: str
    vector_bytes: int
    """The bytes of a vector register."""
    registers: int
    """The number of vector registers."""
    scales: bool
    """Whether `llvm.ldexp` of vectors is an instruction."""

    @property
    def header(self) -> str:
        """The first lines of each module."""
        return f'target datalayout = "{self.layout}"\ntarget triple = "{self.triple}"\n'

    def width(self, dtype: DType) -> int:
        """Returns the number of elements of a dtype in a vector register."""
        return self.vector_bytes // max(dtype.itemsize, 1)


def binding() -> Any:
    """Returns the bindings to LLVM, loaded and ready."""
    return _binding()


@functools.cache
def _binding() -> Any:
    library: Any = importlib.import_module("llvmlite.binding")
    library.initialize_native_target()
    library.initialize_native_asmprinter()
    # Strength reduction of loops takes a tenth to a third of the time, and changes no speed.
    library.set_option("", "-disable-lsr")
    lock = getattr(library.ffi.lib, "_lock", None)
    if lock is not None:
        lazy_modules.hold_over_forks(lock, 2)
    return library


@functools.cache
def host() -> Target:
    """Returns the machine that this process runs on."""
    library = _binding()
    available = library.get_host_cpu_features()
    triple: str = library.get_process_triple()
    features: str = available.flatten()
    wide = bool(available.get("avx512f"))
    x86 = triple.startswith(("x86_64", "i686"))
    vector = 64 if wide else 32 if available.get("avx2") else 16
    machine = _machine(library, triple, library.get_host_cpu_name(), features, 2)
    return Target(
        triple,
        str(machine.target_data),
        library.get_host_cpu_name(),
        features,
        vector,
        32 if wide or not x86 else 16,
        wide,
    )


def header() -> str:
    """Returns the first lines of a module of native code for this process."""
    return host().header


def _machine(library: ModuleType, triple: str, cpu: str, features: str, level: int) -> Any:
    found = library.Target.from_triple(triple)
    return found.create_target_machine(
        cpu=cpu, features=features, opt=level, reloc="pic", codemodel="default", jit=True
    )


@functools.cache
def machine(level: int) -> Any:
    """Returns the code generator of this machine, at an optimisation level of LLVM's (0 to 3)."""
    target = host()
    return _machine(_binding(), target.triple, target.cpu, target.features, level)
