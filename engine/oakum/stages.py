"""The stages of a compiled function: traced, lowered, compiled, each to be looked at.

traced = oakum.jit(f).trace(x)
traced.jaxpr
lowered = traced.lower()
print(lowered.as_text("loops"))
compiled = lowered.compile()
compiled(x)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from oakum.errors import InvalidValueError
from oakum.pytrees import pytree
from oakum.tracing.ir import ClosedJaxpr
from oakum.tracing.shape_dtype_struct import ShapeDtypeStruct
from oakum.tracing.trace import aval_of
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.options import xla_options
from oakum.values.records import dataclass
from oakum.values.traceback_filtering import api_boundary

if TYPE_CHECKING:
    pass

DIALECTS: Final = ("jaxpr", "simplified", "loops", "llvm", "assembly")
"""What a lowered function can be printed as."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The arguments that a function was traced for, and its results."""

    name: str
    in_tree: Any
    out_tree: Any
    in_avals: tuple[ShapedArray, ...]
    out_avals: tuple[ShapedArray, ...]

    def arguments(self) -> Any:
        """Returns the shapes and dtypes of the arguments, as `(args, kwargs)`."""
        return pytree.unflatten(self.in_tree, [_described(a) for a in self.in_avals])

    def results(self) -> Any:
        """Returns the shapes and dtypes of the results."""
        return pytree.unflatten(self.out_tree, [_described(a) for a in self.out_avals])


def _described(aval: ShapedArray) -> ShapeDtypeStruct:
    shape: Any = aval.shape
    return ShapeDtypeStruct(shape, host.visible_dtype(aval.dtype), weak_type=bool(aval.weak_type))


class Stage:
    """The common base of stages: names, trees, shapes and dtypes."""

    def __init__(self, closed: ClosedJaxpr, lifted: Sequence[Any], signature: Signature) -> None:
        self._closed = closed
        self._lifted = list(lifted)
        self._signature = signature

    @property
    def in_tree(self) -> Any:
        """The structure of `(args, kwargs)`."""
        return self._signature.in_tree

    @property
    def out_tree(self) -> Any:
        """The structure of the result."""
        return self._signature.out_tree

    @property
    def args_info(self) -> Any:
        """The shapes and dtypes of the arguments, as `(args, kwargs)`."""
        return self._signature.arguments()

    @property
    def in_avals(self) -> Any:
        """The avals of the arguments, as `(args, kwargs)`."""
        return pytree.unflatten(self._signature.in_tree, list(self._signature.in_avals))

    @property
    def out_info(self) -> Any:
        """The shapes and dtypes of the results."""
        return self._signature.results()


class Traced(Stage):
    """A function that was traced for arguments of given shapes and dtypes."""

    @property
    def jaxpr(self) -> ClosedJaxpr:
        """The program."""
        return self._closed

    @property
    def fun_name(self) -> str:
        """The name of the function."""
        return self._signature.name

    def lower(self, **options: object) -> Lowered:
        """Returns the function, lowered for this machine."""
        del options  # platforms and the like: there is one
        return Lowered(self._closed, self._lifted, self._signature)


class Lowered(Stage):
    """A function whose code can be read, and compiled."""

    def as_text(self, dialect: str | None = None, *, debug_info: bool = False) -> str:
        """Returns the program as one of `DIALECTS`: LLVM's text where none is named.

        Raises `InvalidValueError` for another dialect.
        """
        del debug_info
        chosen = dialect or "llvm"
        if chosen not in DIALECTS:
            raise InvalidValueError(
                f"{dialect!r} is no dialect of oakum's: there are {', '.join(DIALECTS)}"
            )
        from oakum.compile import executable, report

        return report.text(executable.of(self._closed), chosen)

    def cost_analysis(self) -> dict[str, float]:
        """Returns the floating-point operations and the bytes of a call, as estimated."""
        from oakum.compile import executable, report

        return report.costs(executable.of(self._closed))

    @api_boundary
    def compile(self, compiler_options: Mapping[str, object] | None = None) -> Compiled:
        """Returns the function, compiled."""
        from oakum.compile import executable

        xla_options.check(compiler_options)
        executable.of(self._closed)
        return Compiled(self._closed, self._lifted, self._signature)


class Compiled(Stage):
    """A function that was compiled for arguments of given shapes and dtypes; it takes no others."""

    def as_text(self) -> str:
        """Returns the assembly."""
        from oakum.compile import executable, report

        return report.text(executable.of(self._closed), "assembly")

    def cost_analysis(self) -> dict[str, float]:
        """Returns the floating-point operations and the bytes of a call, as estimated."""
        from oakum.compile import executable, report

        return report.costs(executable.of(self._closed))

    def memory_analysis(self) -> Any:
        """Returns the bytes of arguments, results and of what lies between."""
        from oakum.compile import executable, report

        return report.memory(executable.of(self._closed))

    def runtime_executable(self) -> Any:
        """Returns the compiled program itself."""
        from oakum.compile import executable

        return executable.of(self._closed)

    @api_boundary
    def __call__(self, *args: object, **kwargs: object) -> Any:
        leaves, tree = pytree.flatten((args, kwargs))
        wanted = self._signature
        if tree != wanted.in_tree:
            raise TypeError(
                f"Function compiled with input pytree does not match the input pytree it was "
                f"called with: {wanted.name} was compiled for {wanted.in_tree}, and is called with "
                f"{tree}"
            )
        given = [aval_of(x) for x in leaves]
        for have, want in zip(given, wanted.in_avals, strict=True):
            if have.shape != want.shape or have.dtype is not want.dtype:
                raise TypeError(
                    f"Argument types differ from the types for which this computation was compiled:"
                    f" {wanted.name} takes {want} and got {have}"
                )
        from oakum.compile import executable
        from oakum.runtime import arrays

        raws = [arrays.as_array(x).raw for x in (*self._lifted, *leaves)]
        results = executable.of(self._closed)(raws)
        found = [arrays.wrap(r, a) for r, a in zip(results, wanted.out_avals, strict=True)]
        return pytree.unflatten(wanted.out_tree, found)
