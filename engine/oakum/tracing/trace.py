"""Tracing: primitives, traces and tracers, and `bind`, the one place where they meet.

Every operation is a primitive that is bound to operands. `Primitive.bind` passes it to the current
trace, which evaluates, records or transforms it. A transformation makes its trace current, calls
the user's function on its tracers, and puts the trace before it back.

Invariants:
- Operands are positional and may be tracers; parameters are keywords and never are.
- A trace handles its own tracers; to it, values of other traces are constants, and it hands them on
  to its parent. A tracer whose trace has ended is refused wherever it turns up.
- Importing this module imports neither numpy nor llvmlite.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from oakum import dtypes, errors
from oakum.array import Array
from oakum.tracing import concretization_errors, first_operation
from oakum.values import host, trace_context, uses
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass
from oakum.values.user_frames import UserFrame

if TYPE_CHECKING:
    from oakum.tracing.custom_call import CustomCall

Rule = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class _Shared:
    """A rule that takes the primitive first; see `shared`."""

    rule: Rule


def shared(rule: Rule) -> Any:
    """Marks a rule that many primitives share: it is called with the primitive first."""
    return _Shared(rule)


class Primitive:
    """An operation that traces know, with all its rules.

    `abstract(*avals, **params)` gives the aval of the result, `evaluate(xp, *operands, **params)`
    computes it on the host's arrays. For differentiation give one of `derivatives` (one function
    for each operand), `linear` (the derivative is the primitive itself) and `jvp` (a full rule);
    `transpose` is the rule of an operation that is linear in an operand, `batch` that of vmap,
    `partial` that of partial evaluation, for a primitive that holds programs. `effects` says what
    running it does beside giving a result, `axes` which named axes its parameters use. `interpret`
    takes the place of `evaluate` where arrays and not their data are needed; `lower` says how the
    compiler computes it (`primitives/rules/lowering`), `compiled` that it compiles its `jaxpr`;
    `attempt` evaluates a loop, or returns the operands for a compiled one, as `ir.Unfinished`;
    `exact` that compiled code gives the evaluation's bits (`runtime/exact_operations`).
    """

    __slots__ = (
        "_avals",
        "abstract",
        "attempt",
        "axes",
        "batch",
        "compiled",
        "derivatives",
        "effects",
        "evaluate",
        "exact",
        "interpret",
        "jvp",
        "linear",
        "lower",
        "multiple_results",
        "name",
        "partial",
        "transpose",
    )

    def __init__(
        self,
        name: str,
        *,
        abstract: Rule,
        evaluate: Rule,
        derivatives: Sequence[Rule | None] | None = None,
        linear: bool = False,
        jvp: Rule | None = None,
        transpose: Rule | None = None,
        batch: Rule | None = None,
        partial: Rule | None = None,
        interpret: Rule | None = None,
        lower: Any = None,
        compiled: bool = False,
        attempt: Rule | None = None,
        effects: Callable[..., frozenset[str]] | None = None,
        axes: Callable[..., tuple[Any, ...]] | None = None,
        exact: bool = False,
        multiple_results: bool = False,
    ) -> None:
        self.name = name
        self.multiple_results = multiple_results
        self.derivatives = derivatives
        self.linear = linear
        self.effects = effects
        self.axes = axes
        self.abstract = self._own(abstract)
        self.evaluate = self._own(evaluate)
        self.jvp = self._own(jvp)
        self.transpose = self._own(transpose)
        self.batch = self._own(batch)
        self.partial = self._own(partial)
        self.interpret = self._own(interpret)
        self.lower, self.compiled, self.attempt, self.exact = lower, compiled, attempt, exact
        self._avals: dict[Any, Any] = {}

    def _own(self, rule: object) -> Any:
        return functools.partial(rule.rule, self) if isinstance(rule, _Shared) else rule

    def __repr__(self) -> str:
        return self.name

    def bind(self, *operands: object, **params: object) -> Any:
        """Applies the operation to operands, under the current trace."""
        return CONTEXT.get().trace.process(self, operands, params)

    def result_avals(self, avals: Sequence[ShapedArray], params: dict[str, Any]) -> Any:
        """Returns the aval or avals of the result, remembered for operands and parameters seen
        before.
        """
        if self.effects is not None:  # it holds a program, which must not live on for that
            return self._describe(avals, params)
        try:
            key = (tuple(avals), tuple(params.items()), dtypes.x64_enabled())
            found = self._avals.get(key)
        except TypeError:
            return self._describe(avals, params)
        if found is None:
            if len(self._avals) >= _REMEMBERED:
                self._avals.clear()
            found = self._avals[key] = self._describe(avals, params)
        return found

    def _describe(self, avals: Sequence[ShapedArray], params: dict[str, Any]) -> Any:
        """Asks the rule; raises ShapeError where a size that was asked for is negative."""
        found: Any = self.abstract(*avals, **params)
        for aval in found if self.multiple_results else (found,):
            if any(isinstance(size, int) and size < 0 for size in aval.shape or ()):
                raise errors.ShapeError(
                    f"{self.name} would make an array with a negative size: {aval.shape}",
                    hint="Give sizes from zero on.",
                )
        return found


_REMEMBERED: Final = 4096


class Trace:
    """What happens to the operations of a function while it is traced."""

    __slots__ = ("__weakref__", "alive", "parent", "traced", "transform", "watched")

    name = "trace"
    evaluates = False  # whether operations are computed at once, not recorded or transformed

    def __init__(
        self, parent: Trace | None, transform: str = "", traced: Callable[..., Any] | None = None
    ) -> None:
        self.parent = parent
        self.alive = True
        self.transform = transform  # what it is called in messages
        self.traced = traced  # the function of the user
        self.watched: list[weakref.ref[Any]] | None = None  # its tracers, to check for leaks

    def begin(self) -> Trace:
        """Has the trace remember its tracers, where leaks are checked for."""
        # Loaded here: the options follow the environment, which must not reach the linter.
        from oakum import config

        if config.check_tracer_leaks.value:
            self.watched = []
        return self

    def end(
        self, *kept: object, rerun: Callable[[Callable[[Trace], None]], None] | None = None
    ) -> None:
        """Ends the trace, once nothing of ours holds a tracer of it any more but `kept`.

        Raises `LeakedTracerError` where leaks are checked for and there is one; `rerun` traces the
        function once more, to see where, and calls what it is given with the new trace first.
        """
        self.alive = False
        if self.watched is not None:
            from oakum.tracing import leak_checker

            leak_checker.check(self, kept, rerun)

    def process(self, primitive: Primitive, operands: Sequence[Any], params: dict[str, Any]) -> Any:
        """Applies a primitive."""
        raise NotImplementedError

    def process_custom_call(self, call: CustomCall, operands: Sequence[Any]) -> Sequence[Any]:
        """Calls a function of flat operands that has derivative rules of its own."""
        raise NotImplementedError


def full_text(aval: ShapedArray) -> str:
    """Returns the type of a traced value as JAX writes it, with the whole name of the dtype."""
    shape = ",".join(map(str, aval.shape or ()))
    return f"{'~' if aval.weak_type else ''}{aval.dtype}[{shape}]"


class Tracer(Array):
    """A value under tracing: an aval, and the trace that it belongs to."""

    __slots__ = ("__weakref__", "owner", "source")

    def __init__(self, trace: Trace, source: tuple[UserFrame, ...] = ()) -> None:
        self.owner = trace
        self.source = source
        if trace.watched is not None:
            trace.watched.append(weakref.ref(self))

    @property
    def aval(self) -> ShapedArray:
        """The abstract value: what tracing knows of this value."""
        raise NotImplementedError

    @property
    def sharding(self) -> Any:
        """Raises AttributeError: only data lie on devices."""
        text = f"The 'sharding' attribute is not available on `{self.aval}`, which is traced"
        raise AttributeError(f"{text}: use jax.typeof(x).sharding")

    def concrete(self) -> Any:
        """Returns the array that this tracer has as its value; None for an abstract tracer."""
        return None

    def without_tangent(self) -> Any:
        """Returns the value alone, of a tracer that has a tangent; None for others."""
        return None

    def _value(self, use: uses.Use) -> Any:
        """Returns the array that a use reads, where the use may read that of a concrete tracer."""
        value = None if uses.TABLE[use].concrete else self.concrete()
        if value is None:
            raise concretization_errors.concretization_error(self, use)
        return value

    def __bool__(self) -> bool:
        value = self.concrete()
        if value is None and self.size != 1:
            raise concretization_errors.ambiguous_truth(self)
        return bool(self._value(uses.Use.BOOL))

    def __int__(self) -> int:
        return int(self._value(uses.Use.INT))

    def __float__(self) -> float:
        return float(self._value(uses.Use.FLOAT))

    def __complex__(self) -> complex:
        return complex(self._value(uses.Use.COMPLEX))

    def __index__(self) -> int:
        return self._value(uses.Use.INDEX).__index__()

    def __array__(self, *args: object, **kwargs: object) -> Any:
        return self._value(uses.Use.ARRAY)

    def __copy__(self) -> Tracer:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Tracer:
        return self

    def __hash__(self) -> int:
        raise concretization_errors.concretization_error(self, uses.Use.HASH)

    def __setitem__(self, index: object, value: object) -> None:
        raise concretization_errors.concretization_error(self, uses.Use.ITEM_ASSIGNMENT)

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        return format(self._value(uses.Use.FORMAT), spec)

    def __repr__(self) -> str:
        return f"JitTracer({full_text(self.aval)})"

    def __len__(self) -> int:
        shape = self.aval.shape
        if not shape:
            raise TypeError("len() of unsized object")
        return int(shape[0])  # pyright: ignore[reportArgumentType]

    @property
    def dtype(self) -> Any:
        """The dtype, as NumPy knows it."""
        return host.visible_dtype(self.aval.dtype)


@dataclass(frozen=True, slots=True)
class AxisData:
    """The axis that a mapping transformation maps over."""

    name: Any
    size: int
    spmd_name: Any = None
    devices: bool = False
    """Whether the elements are on devices of their own (pmap)."""
    manual: bool = False
    """Whether it is an axis of a mesh along which `shard_map` follows what varies: a value that has
    no mapped axis for it is the same everywhere."""


class Context:
    """The current trace, the named axes in force, and the user's frames of the operation that a
    transformation applies its rule to, if one does.
    """

    __slots__ = ("axes", "evaluates", "source", "trace")

    def __init__(
        self,
        trace: Trace,
        axes: tuple[tuple[Any, int], ...] = (),
        source: tuple[UserFrame, ...] | None = None,
    ) -> None:
        self.trace, self.axes, self.source = trace, axes, source
        self.evaluates = trace.evaluates and not axes


class _Start(Trace):
    """Stands for evaluation until the first operation, which loads what evaluates."""

    __slots__ = ()
    evaluates = True

    def process(self, primitive: Primitive, operands: Sequence[Any], params: dict[str, Any]) -> Any:
        return (_base or base_trace()).process(primitive, operands, params)

    def process_custom_call(self, call: CustomCall, operands: Sequence[Any]) -> Sequence[Any]:
        return base_trace().process_custom_call(call, operands)


_START: Final = Context(_Start(None))
CONTEXT: Final[ContextVar[Context]] = ContextVar("oakum_context", default=_START)


_base: Trace | None = None


def set_base_trace(trace: Trace) -> None:
    """Says which trace evaluates: `oakum.api.engine` makes it."""
    global _base
    if _base is None:  # another thread may have been faster
        _base = trace


def base_trace() -> Trace:
    """Returns the trace that evaluates."""
    if _base is None:
        first_operation.start()
        assert _base is not None
    return _base


def current_trace() -> Trace:
    """Returns the trace that operations go to now."""
    trace = CONTEXT.get().trace
    return base_trace() if type(trace) is _Start else trace


def current_axes() -> tuple[tuple[Any, int], ...]:
    """Returns the named axes in force, outermost first, with their sizes."""
    return CONTEXT.get().axes


def is_evaluating() -> bool:
    """Whether operations are evaluated now, and not traced."""
    return current_trace() is _base


class _Current:
    """Makes a context current while a `with` statement runs."""

    __slots__ = ("_around", "_context")

    def __init__(
        self,
        trace: Trace,
        axes: tuple[tuple[Any, int], ...],
        source: tuple[UserFrame, ...] | None = None,
    ) -> None:
        self._around, self._context = CONTEXT.get(), Context(trace, axes, source)

    def __enter__(self) -> None:
        _settle(self._context)

    def leave(self, *_: object) -> None:
        """Has what was current so again. Who begins a trace calls it after the block once more, for
        what the user does next: Ctrl-C may come at the end of the block, before this has begun.
        """
        _settle(self._around)

    __exit__ = leave


def _settle(context: Context) -> None:
    CONTEXT.set(context)
    # Options that were set in between, and not in a block of their own, stay set.
    now = trace_context.CURRENT.get()
    if now.evaluates is not context.evaluates:
        trace_context.CURRENT.set(now.other)


def under(trace: Trace, source: tuple[UserFrame, ...] | None = None) -> _Current:
    """Makes a trace current in the block; `source` are the user's frames of the operation whose
    rule the block applies.
    """
    return _Current(trace, CONTEXT.get().axes, source)


def named_axis(name: object, size: int) -> _Current:
    """Puts a named axis in force in the block."""
    now = CONTEXT.get()
    return _Current(now.trace, now.axes if name is None else (*now.axes, (name, size)))


def only_axes(axes: tuple[tuple[Any, int], ...]) -> _Current:
    """Has these named axes in force in the block, and no others."""
    return _Current(CONTEXT.get().trace, axes)


def axis_size_of(name: object) -> int:
    """Returns the size of a named axis in force; raises NameError for others, as JAX does."""
    for known, size in reversed(CONTEXT.get().axes):
        if known == name:
            return size
    known = [each for each, _ in CONTEXT.get().axes]
    raise errors.unbound_axis(name, f"The following axis names are available: {known}")


_SCALARS: Final = (bool, int, float, complex)


def scalar_aval(value: object) -> ShapedArray:
    """Returns the weakly typed aval of a Python number."""
    kind = type(value)
    if kind not in _SCALARS:
        kind = next(each for each in _SCALARS if isinstance(value, each))
    dtype = dtypes.of_python_type(kind)
    return ShapedArray((), dtype, weak_type=kind is not bool)


def aval_of(value: object) -> ShapedArray:
    """Returns the aval of an array or a Python number; raises TypeError for anything else.

    >>> print(aval_of(2.0))
    ~f32[]
    """
    if isinstance(value, Array):
        return value.aval
    if isinstance(value, _SCALARS) and not hasattr(value, "dtype"):
        return scalar_aval(value)
    known = host.find_aval(value)
    return aval_of(host.array_of(value)) if known is None else known


def as_operand(value: Any) -> Any:
    """Returns the array of an object that has `__jax_array__`; any other value itself."""
    if not isinstance(value, Array) and hasattr(value, "__jax_array__"):
        return value.__jax_array__()
    return value


def full_lower(value: object) -> Any:
    """Returns a tracer's value where it is known under the trace above, else the tracer."""
    concrete = value.concrete() if isinstance(value, Tracer) else value
    return value if concrete is None else concrete


def refuse_dead(value: object) -> None:
    """Raises `UnexpectedTracerError` for a tracer whose trace has ended."""
    if isinstance(value, Tracer) and not value.owner.alive:
        raise escaped(value)


def escaped(tracer: Tracer) -> errors.UnexpectedTracerError:
    """Returns the error of a tracer that is used after its trace has ended."""
    from oakum.tracing.leak_checker import escaped_error

    return escaped_error(tracer)
