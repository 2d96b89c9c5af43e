"""Host calls: what native code has Python compute while it runs.

An exception is kept for its thread, and raised when the native code returns. On the main thread
that code is left at once (see `interruption`); on other threads it runs to its end, without further
host calls.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from oakum.compile.loops.elements import shape_of
from oakum.compile.plan.steps import HostStep
from oakum.tracing.ir import ClosedJaxpr, Literal
from oakum.values import host, interruptible_work
from oakum.values.avals import ShapedArray

Reader = Callable[[int], Any]
"""Returns the array at an address."""


class HostCalls:
    """The host steps of a program. Native code has `call` called with the number of a step and the
    address of a table of the addresses of its operands and results.
    """

    def __init__(self, steps: Sequence[HostStep]) -> None:
        self._errors: dict[int, BaseException] = {}
        self._calls = [_prepare(step) for step in steps]
        self.are_plain = all(is_plain(step) and not _is_long(step) for step in steps)
        """Whether no step runs code of the user, which could see that Python did not call, or runs
        in the background, where Python keeps the memory.
        """
        self.call = self._call
        """The object that native code calls. It is stored because each access to a method makes a
        new one.
        """

    def _call(self, number: int, table: int) -> bool:
        """Carries out a step; returns whether it raised."""
        if self._errors and threading.get_ident() in self._errors:
            return True
        try:
            with host.np.errstate(all="ignore"):
                self._calls[number](table)
        except BaseException as error:
            self._errors[threading.get_ident()] = error
            return True
        return False

    def settle(self, _unused: object = None) -> None:
        """Raises what host calls of this thread have raised."""
        if self._errors:
            error = self._errors.pop(threading.get_ident(), None)
            if error is not None:
                raise error


_CALLING_BACK: Final = ("pure_callback", "io_callback", "debug_callback")


def is_plain(step: HostStep) -> bool:
    """Returns whether an equation is computed by the host's library alone."""
    params = step.eqn.params.values()
    return (
        not step.eqn.effects
        and step.eqn.primitive.name not in _CALLING_BACK
        and not any(isinstance(each, ClosedJaxpr) for each in params)
    )


def _is_long(step: HostStep) -> bool:
    """Returns whether a step runs in the background, where its memory outlives a call that is given
    up.
    """
    avals = [*(atom.aval for atom in step.eqn.inputs), *step.out_avals]
    elements = sum(math.prod(shape_of(aval)) for aval in avals)
    return is_plain(step) and interruptible_work.is_long(elements, step.eqn.primitive.name)


def _prepare(step: HostStep) -> Callable[[int], None]:
    """Returns a function that evaluates a step's equation on a table of addresses."""
    given = [x for x in (*step.inputs, *step.outputs) if not isinstance(x, Literal)]
    table_type = ctypes.c_void_p * len(given)
    keeps, is_long = not is_plain(step), _is_long(step)
    operands = [
        x if isinstance(x, Literal) else _reader(atom.aval)
        for atom, x in zip(step.eqn.inputs, step.inputs, strict=True)
    ]
    readers = [_reader(aval) for aval in step.out_avals]
    primitive, params, np = step.eqn.primitive, step.eqn.params, host.np

    def call_aside(table: int) -> None:
        # Read now: the table is gone when what is done in the background has been given up.
        addresses = [each or 0 for each in table_type.from_address(table)]
        interruptible_work.run(lambda: carry_out(iter(addresses)))

    def call(table: int) -> None:
        carry_out(iter(table_type.from_address(table)))

    def carry_out(addresses: Iterator[int]) -> None:
        arguments: list[Any] = []
        for operand in operands:
            if isinstance(operand, Literal):
                arguments.append(operand.raw)
                continue
            argument = operand(next(addresses))
            # A copy: a callback may keep what it is given, and this memory serves other calls.
            arguments.append(argument.copy() if keeps else argument)
        results = primitive.evaluate(np, *arguments, **params)
        if not primitive.multiple_results:
            results = (results,)
        for result, reader in zip(results, readers, strict=True):
            reader(next(addresses))[...] = result

    return call_aside if is_long else call


def _reader(aval: ShapedArray) -> Reader:
    assert aval.dtype is not None
    shape, dtype, array = shape_of(aval), host.dtype(aval.dtype), host.np.ndarray
    size = dtype.itemsize * math.prod(shape)
    if not size:
        return lambda address: array(shape, dtype)
    memory = ctypes.c_char * size
    return lambda address: array(shape, dtype, memory.from_address(address))
