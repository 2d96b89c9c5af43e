"""`Ref`: a mutable reference to an array.

A reference belongs to the trace under which it was made. What is read under that trace, or under
one that transforms its operations, is the value that was written last, so that derivatives and
mapped axes of what a function writes to its own references follow from the operations alone.

A program that is recorded, by `jit` or for the body of a loop, knows no references: each one from
outside that it uses becomes an argument and a result of it (`tracing.jaxpr_trace.Cell`), and who
applies the program passes the value and writes the result back (`captured_references`).

Invariants:
- The value of a reference keeps its shape and dtype.
- No reference holds a tracer of a trace inside its own: what is written is lowered, or refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NoReturn

from oakum import errors
from oakum.array import Array
from oakum.lax.conversion import converted
from oakum.primitives.rules.arguments import shape_of
from oakum.runtime.arrays import as_array
from oakum.tracing.jaxpr_trace import Cell, Reference, StagingTrace
from oakum.tracing.trace import Trace, Tracer, aval_of, current_trace, escaped, full_text
from oakum.values import codes
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass
from oakum.values.user_frames import user_frame


@dataclass(frozen=True, slots=True)
class AbstractRef:
    """The type of a reference: that of the array it holds."""

    inner_aval: ShapedArray

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array."""
        return shape_of(self.inner_aval)

    @property
    def dtype(self) -> Any:
        """The dtype of the array."""
        return self.inner_aval.dtype

    def __str__(self) -> str:
        return f"Ref{{{self.inner_aval.str_short()}}}"

    __repr__ = __str__


class Ref(Reference):
    """A mutable reference to an array: `ref[...]` reads it, `ref[...] = value` writes to it.

    Indices are those of arrays, without integers that are out of bounds; what is written has
    exactly the shape and the dtype of what is there. `new_ref` makes one.
    """

    __slots__ = ("__weakref__", "_cell", "_ended", "_home", "_untracked", "aval")

    # Messages show the class by the name that users know.
    __module__ = "oakum"

    def __init__(self, value: Array, *, untracked: bool = False) -> None:
        self._untracked = untracked
        self._home = current_trace()
        self._cell = Cell(value)
        self._ended = False
        self.aval: AbstractRef = AbstractRef(value.aval)

    @property
    def type(self) -> AbstractRef:
        """The type of the reference."""
        return self.aval

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array."""
        return self.aval.shape

    @property
    def dtype(self) -> Any:
        """The dtype of the array, as NumPy knows it."""
        return self._cell.value.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._cell.value.size

    @property
    def sharding(self) -> Any:
        """How the array lies on devices."""
        value: Any = self._cell.value
        return value.sharding

    @property
    def home(self) -> Trace:
        """The trace to which the reference belongs."""
        return self._home

    def __len__(self) -> int:
        return len(self._cell.value)

    def __repr__(self) -> str:
        value = self._cell.value
        if isinstance(value, Tracer):
            return f"JitTracer(Ref{{{full_text(value.aval)}}})"
        return f"Ref{repr(value)[5:]}"

    def __getitem__(self, index: object) -> Array:
        return self.read(index)

    def __setitem__(self, index: object, value: object) -> None:
        self.swap(index, value, "swap")

    def __array__(self, *args: object, **kwargs: object) -> NoReturn:
        raise errors.InvalidValueError(
            f"a reference of type {self.aval} is used as an array",
            frame=user_frame(),
            hint="Read it: `ref[...]`.",
            code=codes.FOREIGN_ARGUMENT,
        )

    def addupdate(self, x: object, idx: object = ()) -> None:
        """Adds to what is held at an index."""
        self.add(idx, x)

    def read(self, index: object = ...) -> Array:
        """Returns what is held at an index."""
        return self._at(self._holder()[0].value, index)

    def swap(self, index: object, value: object, what: str) -> Array:
        """Writes at an index, and returns what was there; `what` writes, in messages."""
        cell, level = self._holder()
        before = self._at(cell.value, index)
        fitting = self._fitting(before.aval, value, what, casts=True)
        whole = fitting if _is_whole(index) else cell.value.at[index].set(fitting)
        cell.write(self._lowered(whole, level, "set/swap"))
        return before

    def add(self, index: object, value: object) -> None:
        """Adds at an index; where an element is there more than once, all are added."""
        cell, level = self._holder()
        before = self._at(cell.value, index)
        fitting = self._fitting(before.aval, value, "addupdate", casts=False)
        whole = before + fitting if _is_whole(index) else cell.value.at[index].add(fitting)
        cell.write(self._lowered(whole, level, "addupdate"))

    def write(self, value: object) -> None:
        """Replaces all that is held by the result of a program."""
        cell, level = self._holder()
        fitting = self._fitting(self.aval.inner_aval, value, "swap", casts=True)
        cell.write(self._lowered(fitting, level, "set/swap"))

    def end(self) -> None:
        """Refuses further uses, where operations are traced; evaluated ones go on, as in JAX."""
        self._holder()
        self._ended = not self._home.evaluates

    def _holder(self) -> tuple[Cell, Trace]:
        """Returns what holds the value for the current trace, and the trace that it belongs to."""
        if self._ended:
            raise errors.InvalidValueError(
                f"a reference of type {self.aval} is used after `freeze` or `free_ref`",
                frame=user_frame(),
                hint="Read it before; make another by new_ref.",
            )
        home = self._home
        trace = current_trace()
        while trace is not home:
            if isinstance(trace, StagingTrace):
                return self._captured(trace), trace
            if trace.parent is None:
                raise self._escaped()
            trace = trace.parent
        return self._cell, home

    def _captured(self, trace: StagingTrace) -> Cell:
        """Returns what holds the value within a program that is recorded."""
        if not self._home.alive:
            raise self._escaped()
        cells = trace.cells
        if cells is None and trace.transform == "transpose":
            raise errors.InvalidValueError(
                f"a reference of type {self.aval} is used in the derivative of {trace.function}",
                detail="A loop or a compiled function that is differentiated as a whole has no "
                "references",
                frame=user_frame(),
                hint="Differentiate inside: jax.jit(jax.grad(f)).",
            )
        if cells is None:
            raise errors.InvalidValueError(
                f"a reference from outside is used in {trace.function}, traced for "
                f"{trace.transform}",
                detail=f"It is {self.aval}",
                frame=user_frame(),
                hint="Pass its value, `ref[...]`, and return what is to be written.",
            )
        found = cells.get(self)
        if found is None:
            argument = trace.argument(self.aval.inner_aval)
            found = cells[self] = Cell(argument, argument)
        return found

    def _escaped(self) -> Exception:
        value = self._cell.value
        if isinstance(value, Tracer):
            return escaped(value)
        return errors.UnexpectedTracerError(
            f"a reference of type {self.aval} is used outside the trace that made it",
            frame=user_frame(),
            hint="Return `ref[...]` from the function that is traced.",
        )

    def _at(self, value: Array, index: object) -> Array:
        if _is_whole(index):
            return value
        _check_integers(index, self.shape)
        return value[index]

    def _fitting(self, wanted: ShapedArray, value: object, what: str, *, casts: bool) -> Array:
        """Returns a value that is written as an array of the aval that is wanted."""
        if isinstance(value, Ref):
            raise errors.InvalidValueError(
                "a reference cannot be stored in another one",
                frame=user_frame(),
                hint="Read it: `ref[...]`.",
            )
        given = aval_of(value)
        if given.shape != wanted.shape:
            raise errors.ShapeError(
                f"Invalid shape for `{what}`: expected {wanted.shape}, got {given.shape}",
                detail=f"The reference is {self.aval}",
                frame=user_frame(),
                hint="Write values of that shape: jnp.broadcast_to, jnp.full.",
            )
        assert wanted.dtype is not None
        assert given.dtype is not None
        one_kind = given.dtype.kind is wanted.dtype.kind
        if given.dtype is not wanted.dtype and not (casts and given.weak_type and one_kind):
            raise errors.DTypeError(
                f"Invalid dtype for `{what}`: expected {wanted.dtype}, got {given.dtype}",
                detail=f"The reference is {self.aval}",
                frame=user_frame(),
                hint="Convert the value: `value.astype(ref.dtype)`.",
            )
        return converted(value, wanted.dtype, bool(wanted.weak_type))

    def _lowered(self, value: Array, level: Trace, what: str) -> Array:
        """Returns a value as one of the trace at `level`, which holds it; refuses derivatives and
        elements that are known only to a trace inside.
        """
        holders: set[int] = set()
        trace: Trace | None = level
        while trace is not None:
            holders.add(id(trace))
            trace = trace.parent
        while self._untracked and isinstance(value, Tracer) and id(value.owner) not in holders:
            primal = value.without_tangent()
            if primal is None:
                break
            value = primal if isinstance(primal, Array) else as_array(primal)
        if not isinstance(value, Tracer) or id(value.owner) in holders:
            return value
        kind, held, hint = _INNER.get(value.owner.name, _TRACED)
        raise errors.InvalidValueError(
            f"performing {what} with a {kind} value on {held} array reference",
            detail=f"The reference is {self.aval}",
            frame=user_frame(),
            hint=f"{hint}, or make the reference inside.",
            code=codes.TRACER_IN_OUTER_CONTAINER,
        )


_TRACED: Final = ("traced", "an outer", "Pass the reference to the function that is traced")
_INNER: Final[Mapping[str, tuple[str, str, str]]] = {
    "jvp": ("differentiated", "a non-differentiated", "Write jax.lax.stop_gradient(value)"),
    "vmap": ("vmapped", "an unbatched", "Make the reference an argument of the mapped function"),
}
"""For traces what their values are called, what a reference outside is, and what to do."""


def make(value: object, kind: str | None = None) -> Ref:
    """Returns a reference that holds a value at first."""
    if kind not in (None, _UNTRACKED):
        raise errors.InvalidValueError(
            f"new_ref takes kind={_UNTRACKED!r} or None, got {kind!r}",
            frame=user_frame(),
            hint="Leave `kind` out.",
        )
    if isinstance(value, Ref):
        raise errors.InvalidValueError(
            "new_ref takes an array, and not a reference",
            frame=user_frame(),
            hint="Read it: `new_ref(ref[...])`.",
        )
    array = value if isinstance(value, Array) else as_array(value)
    return Ref(array, untracked=kind is not None)


_UNTRACKED: Final = "no_grad_no_remat"
"""The kind of a reference whose values have no derivatives."""


def _is_whole(index: object) -> bool:
    """Whether an index means all of an array."""
    return index is None or index is ... or (isinstance(index, tuple) and not index)


def _check_integers(index: object, shape: tuple[int, ...]) -> None:
    """Raises OutOfBoundsError for a Python integer that is out of bounds: arrays take the nearest
    element instead, and a reference, as in JAX, does not.
    """
    parts: tuple[object, ...] = index if isinstance(index, tuple) else (index,)  # pyright: ignore[reportUnknownVariableType]
    at = 0
    for position, part in enumerate(parts):
        if part is ...:
            at = len(shape) - sum(each is not None for each in parts[position + 1 :])
        elif type(part) is int and at < len(shape) and not -shape[at] <= part < shape[at]:
            raise errors.OutOfBoundsError(
                f"Out of bound indexer: index {part} of axis {at}, which has size {shape[at]}",
                frame=user_frame(),
            )
        at += part is not None and part is not ...
