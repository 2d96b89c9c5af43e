"""Programs of a GPU: the kernels of a plan, loaded on a device, and what the host does in between.

Arguments are copied to the device, and results from it. An equation without a kernel is evaluated
by the host, with copies both ways; a device counts how often that happens.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum.compile.loops.elements import shape_of
from oakum.compile.nvptx import nvptx_target
from oakum.compile.nvptx.plan_code import GpuDevice, Loader
from oakum.compile.nvptx.plan_execution import Execution
from oakum.compile.plan.steps import Plan
from oakum.compile.program.driver import Source
from oakum.compile.program.native_program import Observer
from oakum.values import host
from oakum.values.avals import ShapedArray

Form = tuple[tuple[int, ...], Any]
"""A shape, and a dtype of the host."""

_LAUNCH_NS: Final = 2000.0
"""The estimated time of a launch: what drivers take at least."""


class GpuProgram:
    """A program of flat arrays, run by a device; called through Python."""

    source: Source | None = None
    observer: Observer | None = None
    address: int | None = None
    guard = context = code_bytes = 0
    addresses: Sequence[int] = ()
    settle: Callable[[object], None] | None = None
    origin, is_new = "for a GPU", False

    def __init__(
        self,
        loader: Loader,
        device: GpuDevice,
        plan: Plan,
        avals: tuple[Sequence[ShapedArray], Sequence[ShapedArray]],
        constants: Sequence[Any],
    ) -> None:
        self._device, self._loader = device, loader
        self._takes = [_form(aval) for aval in avals[0]]
        self._gives = [_form(aval) for aval in avals[1]]
        self._constants = constants
        self.arena_bytes = plan.arena_bytes
        with loader.lock:
            self._code = loader.load(plan, {})
        self.kernels = self._code.kernels
        self.cost_ns = _LAUNCH_NS * len(self.kernels)

    def __call__(self, raws: Sequence[Any]) -> list[Any]:
        """Runs the program on arrays of the host."""
        device, owned = self._device, list[int]()
        plan = self._code.plan

        def new(nbytes: int) -> int:
            owned.append(device.allocate(nbytes))
            return owned[-1]

        with self._loader.lock:
            try:
                given = [new(_nbytes(form)) for form in self._takes]
                results = [new(_nbytes(form)) for form in self._gives]
                for number, (raw, (_, dtype)) in enumerate(zip(raws, self._takes, strict=True)):
                    device.put(given[number], host.np.asarray(raw, dtype))
                for number, source in plan.aliases.items():
                    device.put(results[number], raws[source])
                constants = [new(raw.nbytes) for raw in self._constants]
                for address, raw in zip(constants, self._constants, strict=True):
                    device.put(address, raw)
                Execution(device, constants).run(self._code, given, results)
                return [
                    self._fetch(address, form)
                    for address, form in zip(results, self._gives, strict=True)
                ]
            finally:
                for address in owned:
                    device.release(address)

    def _fetch(self, address: int, form: Form) -> Any:
        shape, dtype = form
        if not _nbytes(form):
            return host.np.zeros(shape, dtype)  # Elements may have no bytes, too.
        return self._device.get(address, _nbytes(form)).view(dtype).reshape(shape)

    def seconds(self, raws: Sequence[Any]) -> float:
        """Measures a run on arrays of the host."""
        begun = time.perf_counter()
        self(raws)
        return time.perf_counter() - begun

    def text(self, form: str) -> str:
        """Returns the text of all kernels in a form: `llvm`, `called` (there is none) or
        `assembly`, which is PTX.
        """
        match form:
            case "llvm":
                return "\n".join(f"; {code.title}\n{code.text}" for code in self.kernels)
            case "called":
                return ""
            case _:
                made = [nvptx_target.emit_ptx(code.text) for code in self.kernels]
                pairs = zip(self.kernels, made, strict=True)
                return "\n".join(f"// {code.title}\n{ptx}" for code, ptx in pairs)


def _form(aval: ShapedArray) -> Form:
    assert aval.dtype is not None
    return shape_of(aval), host.dtype(aval.dtype)


def _nbytes(form: Form) -> int:
    shape, dtype = form
    return math.prod(shape) * dtype.itemsize
