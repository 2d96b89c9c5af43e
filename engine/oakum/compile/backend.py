"""Back ends: the seam between a program's plan and the code that carries it out.

The front half (`rewrite`, `simplify`, `fusion`, `plan`) makes a plan of steps, each of which
holds a problem in terms of arrays: a nest of loops, a product, a running reduction, a
factorization, an equation for the host. It asks the back end for nothing but what `Kernels`
answers, with the numbers of its `Policy`. The back end compiles the finished plan to a program that
takes and gives arrays of the host; where these are in between, and who copies them, is its own
affair.

A back end lies in a folder of its own, imported here alone, when its platform is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from oakum.compile.problems.problem import Kernels

if TYPE_CHECKING:
    from oakum.compile.plan.steps import Plan, PlanStep
    from oakum.compile.program.driver import Source
    from oakum.compile.program.native_program import Observer
    from oakum.runtime.arrays import ArrayImpl
    from oakum.runtime.device_storage import DeviceStorage
    from oakum.runtime.prepared_launch import DeviceCalls
    from oakum.values.avals import ShapedArray


class Program(Protocol):
    """A compiled program.

    Native calls, which pass Python by, need an entry of the host's: its `address`, and what
    `NativeProgram` says of the rest. A program without one is called through Python.
    """

    observer: Observer | None
    """What runs the entry, where the program is watched."""

    @property
    def source(self) -> Source | None:
        """The text of its module; None where it has none."""
        ...

    @property
    def arena_bytes(self) -> int:
        """The scratch memory that a call takes."""
        ...

    @property
    def cost_ns(self) -> float:
        """The estimated time of a call."""
        ...

    @property
    def run(self) -> Callable[[Sequence[ArrayImpl], str], Sequence[DeviceStorage]] | None:
        """Runs the program on arrays, and leaves the results in the memory of its device, which may
        still be at work, and knows the program by a name; None where that is the host's.
        """
        ...

    @property
    def address(self) -> int | None:
        """The address of its entry; None where it is to be called through Python."""
        ...

    @property
    def device(self) -> DeviceCalls | None:
        """How native calls run it on a device; None where they run its entry."""
        ...

    @property
    def guard(self) -> int:
        """The address of what runs the entry, where that may take long; else zero."""
        ...

    @property
    def context(self) -> int:
        """The address of what the entry takes beside buffers and scratch memory."""
        ...

    @property
    def settle(self) -> Callable[[object], None] | None:
        """What raises after a call what the host raised in it."""
        ...

    @property
    def addresses(self) -> Sequence[int]:
        """What is in the context."""
        ...

    @property
    def code_bytes(self) -> int:
        """The size of its code."""
        ...

    @property
    def origin(self) -> str:
        """Where its code was found, in words."""
        ...

    @property
    def is_new(self) -> bool:
        """Whether its code was in no cache."""
        ...

    def __call__(self, raws: Sequence[Any]) -> list[Any]:
        """Runs the program on arrays of the host."""
        ...

    def seconds(self, raws: Sequence[Any]) -> float:
        """Measures a run on arrays of the host, without what prepares it."""
        ...

    def text(self, form: str) -> str:
        """Returns its text in a form: `llvm`, `called` or `assembly`."""
        ...


class Lowering(Kernels, Protocol):
    """What answers for one program while it is planned, and then compiles it."""

    def compile(
        self,
        plan: Plan,
        avals: tuple[Sequence[ShapedArray], Sequence[ShapedArray]],
        constants: Sequence[Any],
        *,
        is_watched: bool = False,
    ) -> Program:
        """Compiles a plan with assigned memory.

        `avals` are those of arguments and results. A watched program reports each of its steps to
        its `observer`, which is how compiled code is verified.
        """
        ...

    def describe(self, step: PlanStep) -> str:
        """Returns how a step is carried out, in words; nothing if there is nothing to say."""
        ...


class Backend(Protocol):
    """A kind of device that programs are compiled for."""

    @property
    def platform(self) -> str:
        """The platform, as JAX names it."""
        ...

    @property
    def is_current(self) -> bool:
        """Whether its device is the one of the platform still, after `clear_backends`, too."""
        ...

    def lowering(self) -> Lowering:
        """Begins to compile a program."""
        ...


_known: Final[dict[str, Backend]] = {}


def of(platform: str) -> Backend:
    """Returns the back end of a platform, loaded when it is first asked for."""
    found = _known.get(platform)
    if found is None or not found.is_current:
        match platform:
            case "cpu":
                from oakum.compile.cpu.cpu_backend import CpuBackend

                found = CpuBackend()
            case "gpu":
                from oakum.compile.nvptx import gpu_backend

                found = gpu_backend.first_gpu()
            case _:
                raise KeyError(platform)
        _known[platform] = found
    return found
