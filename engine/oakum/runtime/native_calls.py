"""Native calls: compiled functions that are called without a line of Python.

An object that can be called so has, behind the fields that Python gives it, the address of native
code and a list of specifications. Python adds a specification after a call that native code could
have made; from then on such calls are made natively, and others reach Python as before.

Where this Python or NumPy is not what native code expects, or `OAKUM_NATIVE_CALLS=0` stands in the
environment, no specification is added, and everything is done in Python.

Invariants:
- Nothing is compiled, and neither ctypes nor llvmlite loaded, before a function is made that can be
  called natively; the compiler not before the first specification.
- What fails on the way is no error of the user's: calls stay in Python.
"""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from oakum import config, host, shardings, situations
from oakum.deferred import Namespace
from oakum.runtime import checks

if TYPE_CHECKING:
    from oakum.runtime import native_runtime, native_specs, native_types
    from oakum.runtime.native_runtime import Runtime
    from oakum.runtime.native_specs import Form, Runnable
else:
    native_runtime = Namespace("oakum.runtime.native_runtime")
    native_specs = Namespace("oakum.runtime.native_specs")
    native_types = Namespace("oakum.runtime.native_types")

MOST: Final = 64
"""More specifications than this of one function are not kept."""

_log: Final = logging.getLogger("oakum.native")

T = TypeVar("T", bound=type)


def are_wanted() -> bool:
    """Whether the environment leaves native calls on."""
    return os.environ.get("OAKUM_NATIVE_CALLS", "1").lower() not in ("0", "false", "off")


@functools.cache
def type_of(base: T) -> T:
    """The class whose objects are called natively, derived from a class that has `__call__`; the
    class itself where that cannot be.
    """
    if not are_wanted():
        return base
    try:
        return native_types.callable_type(base)
    except Exception as error:
        _log.info("calls of %s are made in Python: %s", base.__name__, error)
        return base


@functools.cache
def runtime() -> Runtime | None:
    """The native code of calls; None where this Python is not what it expects."""
    if not are_wanted():
        return None
    try:
        return native_runtime.start()
    except Exception as error:
        _log.info("calls are made in Python: %s", error)
        return None


def are_possible() -> bool:
    """Whether a call that is made here and now could be made natively."""
    return (
        situations.current().evaluates
        and not config.disable_jit.value
        and not config.debug_key_reuse.value
        and not checks.are_on()
        and config.transfer_guard_host_to_device.value in (None, "allow")
        and shardings.default() is None
    )


def add(function: Any, form: Form, runnable: Runnable) -> bool:
    """Has calls of this form made natively from now on; tells whether they are.

    `function` is an object of a class that `type_of` gave.
    """
    if runnable.address is None or not hasattr(function, "native_kept"):
        return False
    native = runtime()
    if native is None or form.treedef.num_leaves > native_specs.MOST_LEAVES:
        return False
    situation = situations.current()
    situations.CURRENT.set(situation)  # A variable that is set in a context is found faster.
    made = native_specs.Specification(form, runnable, situation, situations.generation())
    native.link(function, made, MOST)
    return True


def remove_all(function: Any) -> None:
    """Has all calls of a function made in Python."""
    native = runtime() if getattr(function, "native_kept", None) else None
    if native is not None:
        native.unlink_all(function)
