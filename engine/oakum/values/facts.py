"""Facts of a public function: what tracing it does without running it.

A declaration (`values.declarations`) states them once; the engine's tracers and the linter's
interpreter read them.
"""

import enum
import inspect
from collections.abc import Mapping
from typing import Any, Literal, Protocol, runtime_checkable

from oakum.values.avals import ShapedArray
from oakum.values.codes import Code
from oakum.values.records import dataclass, field


class StaticUse(enum.Enum):
    """Why an argument has to be a concrete Python value when the function is traced."""

    ARGUMENT = "argument"
    """A choice fixed at trace time: an axis, a mode, a number of classes."""
    SHAPE = "shape"
    """A shape or part of one: every size in it has to be concrete."""
    SIZE = "size"
    """A number of elements: `num`, `length`, `total_repeat_length`, the bounds of `arange`."""


class AbstractRule(Protocol):
    """Computes the abstract result of a call from its bound arguments.

    `arguments` maps each parameter's name to an abstract value: a `ShapedArray`, a plain Python
    value that is known (int, float, bool, str, None, a dtype name), a tuple, list or dict of
    abstract values, or `UNKNOWN`. Parameters left out stand with their defaults. The result is an
    abstract value of the same kinds.
    """

    def __call__(self, arguments: Mapping[str, Any], /) -> Any: ...


@runtime_checkable
class SignatureRule(AbstractRule, Protocol):
    """A rule that takes the names of its operands from the declared function, and its own."""

    def declared(self, name: str, signature: inspect.Signature, /) -> AbstractRule:
        """Returns the rule for a function of this canonical name and signature."""
        ...


@dataclass(frozen=True, slots=True)
class DynamicSize:
    """When the size of a result depends on the values of arrays.

    >>> DynamicSize("size", ("a",)).applies({"a": 0, "size": None})
    True
    >>> DynamicSize("strip_zeros", ("p",), value=True).applies({"p": 0, "strip_zeros": False})
    False
    """

    parameter: str
    """The parameter that fixes the size: `size`, `length`, `total_repeat_length`; "" for none."""
    operands: tuple[str, ...]
    """The parameters whose values decide it: `repeats` of `repeat`, not its array."""
    value: object = None
    """What the parameter is where it fixes nothing; None stands for one that is left out."""
    without: tuple[str, ...] = ()
    """Other parameters that fix the size, too."""
    numbers: bool = True
    """Whether known numbers are staged as operands: `repeat` and `delete` read them."""

    def applies(self, arguments: Mapping[str, Any]) -> bool:
        """Returns whether the size depends on values for these bound arguments."""
        if self.parameter and arguments[self.parameter] is not self.value:
            return False
        if any(arguments[name] is not None for name in self.without):
            return False
        return self.numbers or all(isinstance(arguments[x], ShapedArray) for x in self.operands)


HandsThrough = Literal[
    "",
    "own",  # those of the engine
    "all",  # those of NumPy too: nothing is staged (`reshape`)
    "fetched",  # tracers alone: others come out as NumPy's (`device_get`)
]


TraceKind = Literal[
    "jit",  # returns a function; its non-static arguments become abstract tracers
    "grad",  # returns a function; the arguments named by argnums become concrete tracers
    "jvp",  # called at once: fun, primals, tangents
    "vjp",  # called at once: fun, *primals
    "vmap",  # returns a function; arguments mapped by in_axes become abstract tracers
    "checkpoint",  # returns a function; staged
    "custom",  # returns a function that is traced when its caller is (custom_jvp, custom_vjp)
    "eval",  # called at once: fun, *args, **kwargs become abstract (eval_shape)
    "make_jaxpr",  # returns a function; staged
    "scan",
    "while_loop",
    "fori_loop",
    "cond",
    "switch",
    "map",
    "associative_scan",
    "reduce",  # lax.reduce, reduce_window: computation of two scalars
    "linearize",
    "linear_transpose",
    "minimize",  # called at once: fun, x0, args; takes the gradient by x0
    "host",  # the callee runs on the host with concrete arrays (pure_callback, debug.callback)
    "named",  # returns the function unchanged (named_call, named_scope as decorator)
    "tree_map",  # applies a function to leaves
    "compile_time",  # evaluates at trace time (ensure_compile_time_eval)
]


EdgeRole = Literal[
    "",
    "singular",  # its derivative by its last operand is infinite somewhere: `log`, `divide`
    "arc",  # the same, at -1 and 1, and NaN beyond them: `arcsin`
    "root",  # infinite at zero, and NaN where that has a derivative of zero: `sqrt`
    "length",  # infinite, and NaN where its operand is zero: `norm`
    "deviation",  # infinite, and NaN where all elements are equal: `std`
    "variance",  # zero, with a derivative of zero, where all elements are equal: `var`
    "power",  # its first operand to the power of its second: `power`
    "corner",  # its derivatives are NaN where all its operands are zero: `arctan2`
    "nonzero",  # it is nowhere zero, as no number of a computer is a half of pi: `cos`
    "guards",  # it may keep its result off an edge: `lax.clamp`
    "bounds",  # the same, and the derivative of what is beyond it is multiplied by zero: `maximum`
    "selects",  # it chooses between its second and third operand, or among theirs: `where`
    "cleans",  # it takes the NaN out of its operand: `nan_to_num`
    "zeros",  # it makes zeros
    "ones",  # it makes ones
    "filled",  # it repeats `fill_value`: `full`
    "linear",  # it gives zero for zero, and zero derivatives for zero derivatives: `sum`
    "square",  # it gives zero for zero, with a derivative of zero: `square`, `abs`
    "product",  # it gives zero where one operand is, with a derivative of zero where two are: `dot`
]
"""How a function stands to the edges of domains, where derivatives are infinite."""


LeftArguments = Literal[
    "",
    "keywords",  # arguments by keyword are attributes: `composite`
    "all",  # operations are staged, on arguments that are closed over: `checkify`
]
"""Which arguments reach the function as they were given, not as tracers."""


@dataclass(frozen=True, slots=True)
class Transform:
    """How a transformation or control-flow operator traces the functions given to it.

    `callees` names the parameters that hold functions; `staged` says whether operations on
    constants are staged too (true of jit and of control flow, false of grad, jvp and vmap).
    """

    kind: TraceKind
    callees: tuple[str, ...]
    staged: bool
    parts: bool = False
    """Whether each device is given a part of the arguments: `pmap`, `shard_map`."""
    leaves: LeftArguments = ""
    specifications: str = ""
    """The option that says for each argument how it is parted; one of which it says None is left as
    it was given (`in_specs`)."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The declaration of one public function."""

    name: str
    """Canonical dotted name below the package: `numpy.sum`, `lax.scan`, `jit`."""
    signature: inspect.Signature
    rule: AbstractRule | None = None
    static: Mapping[str, StaticUse] = field(default_factory=dict[str, StaticUse])
    dynamic_size: DynamicSize | None = None
    transform: Transform | None = None
    consumes_keys: tuple[str, ...] = ()
    """Parameters that hold a random key which this call uses up."""
    rearranges: tuple[str, ...] = ()
    """The parameter whose elements are picked, or put into an order, that the key decides, and what
    decides besides: with one key, and all else equal, several arrays are rearranged alike, which is
    how rows are kept together."""
    makes_keys: bool = False
    """Whether the result is a random key, or an array of them, that nothing has used yet."""
    needs_concrete: Mapping[str, Code] = field(default_factory=dict[str, Code])
    """Parameters that must not be tracers at all, with the code of the error (`device_get`)."""
    static_result: bool = False
    """The result is a Python value that tracing knows (`shape`, `ndim`, `result_type`)."""
    zero_derivative: bool = False
    """The derivative is zero everywhere (`round`, `sign`, `stop_gradient`)."""
    edge: EdgeRole = ""
    """How it stands to the edge of its domain."""
    poles: tuple[float, ...] = ()
    """Where its derivative is infinite, and its domain ends."""
    waits: bool = False
    """Whether a call returns only when arrays have been computed."""
    gives: str = ""
    """The canonical name of a function with the parameters of the one that it returns."""
    lists_devices: bool = False
    """Whether it returns the devices of a backend, in their order."""
    hands_through: "HandsThrough" = ""
    """Which arrays come out as they are where they are what they should become (`asarray`)."""
    spread_over: str = ""
    """The parameter to whose shape `vmap` brings numbers for the others, which are refused where it
    is not mapped (`lax.select`)."""
    leafwise: bool = False
    """Whether the first argument may be a tree, whose leaves keep shape and dtype (`psum`)."""
