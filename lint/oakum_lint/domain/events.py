"""Events: what the interpreter reports to the rules. Those that an analysis alone finds are in its
own file.

The interpreter knows values, not rules: when a traced value reaches a use that the tracing rules
forbid, it emits an event. A rule turns the events of its class into findings. An event is emitted
only when the value is certainly a tracer and the use certainly fails (or leaks); `weak` says
what need not be so on every run that reaches the trace.
"""

from typing import ClassVar, Final, Literal, Self

from oakum.values.codes import CarryProblem, GradientProblem
from oakum.values.records import dataclass, replace
from oakum_lint.text.finding import Confidence, Location, Related

ConditionKind = Literal[
    "if", "elif", "conditional expression", "assert", "match", "comprehension", "enumeration"
]
SequenceKind = Literal["list", "tuple", "str", "bytes", "range"]
Holder = Literal["array", "sequence", "iterable", "objects"]
"""What holds the values whose truth is asked for: an array or the arguments themselves, a list or
tuple, another iterable; or they are objects that compare themselves, which no array holds."""
LeakKind = Literal[
    "list",
    "dict",
    "set",
    "deque",
    "container",
    "global",
    "nonlocal",
    "attribute",
    "cache",
    "callback",
    "default",
    "iterator",
    "metadata",
]


@dataclass(frozen=True, slots=True)
class Operand:
    """The traced value of an event, in words for a message.

    `source` is the user's own text for it, at most some forty characters (`x.sum()`); `aval` its
    abstract value as far as it is known (`f32[8]`, `bool[?]`, or "" when nothing is).
    """

    source: str
    aval: str

    def __str__(self) -> str:
        return f"`{self.source}` ({self.aval})" if self.aval else f"`{self.source}`"


@dataclass(frozen=True, slots=True)
class Event:
    """The fields that all events carry.

    `trace` names the innermost transform that makes the value a tracer, in words that fit after
    "traced by": "jit of `update`", "the body of lax.scan". `related` is the provenance: the root,
    the call chain, the origin of the value. `guard` is the source text of the undecided test that
    the event stands behind, or "". `is_differentiated`: a gradient is taken of what runs here.
    `weak` are the links of the proof that are not certain. `cause` is where the value comes from,
    if that is known.
    """

    needs_devices: ClassVar[bool] = False
    """Whether it happens only where there are several devices: then it is likely too in code that
    runs there alone."""

    location: Location
    operand: Operand
    trace: str
    weak: tuple[Related, ...]
    guard: str
    related: tuple[Related, ...]
    cause: Location | None
    is_differentiated: bool

    @property
    def confidence(self) -> Confidence:
        """Proved where no link of the proof is weak."""
        return Confidence.LIKELY if self.weak else Confidence.PROVED

    def weakened(self, why: str, place: Location | None = None) -> Self:
        """The same event with one more weak link, at its own place if at no other."""
        return replace(self, weak=(*self.weak, Related(place or self.location, why)))


@dataclass(frozen=True, slots=True)
class Condition(Event):
    """A statement or expression chooses between two paths by a tracer."""

    kind: ConditionKind


@dataclass(frozen=True, slots=True)
class LoopCondition(Event):
    """A `while` loop tests a tracer."""


@dataclass(frozen=True, slots=True)
class BooleanUse(Event):
    """An operator or builtin asks a tracer for its truth value.

    `construct` is the user's spelling: `and`, `or`, `not`, `chained comparison`, `in`, `not in`,
    `min`, `max`, `any`, `all`, `sorted`, `filter`, `list.remove`, `list.index`, `list.count`,
    `list.sort`, `bisect`, `if` in a `==` of two tuples.
    """

    construct: str
    holder: Holder = "array"


@dataclass(frozen=True, slots=True)
class ScalarConversion(Event):
    """A tracer is turned into a Python number: `int`, `float`, `bool`, `complex`, `.item()`,
    `.tolist()`, `math.sqrt`, `round` to int, ...
    """

    function: str


@dataclass(frozen=True, slots=True)
class RangeUse(Event):
    """A tracer is used where Python asks for `__index__`: `range(n)`, `[0] * n`, `operator.index`,
    `islice`, `chr`, `bin`, `hex`.
    """

    function: str


@dataclass(frozen=True, slots=True)
class SequenceIndex(Event):
    """A Python sequence is indexed by a tracer; `of_objects` where it is seen to hold what no array
    takes.
    """

    container: str
    kind: SequenceKind
    of_objects: bool = False


@dataclass(frozen=True, slots=True)
class NumpyIndex(Event):
    """A NumPy array is indexed by a tracer."""

    container: str


@dataclass(frozen=True, slots=True)
class NumpyCall(Event):
    """A NumPy or SciPy function, or a method of a NumPy array, gets a tracer. `function` as the
    user spelled it; `replacement` the traceable spelling (`jnp.log`), or "" where there is none.
    """

    function: str
    replacement: str


@dataclass(frozen=True, slots=True)
class HostCall(Event):
    """A function that needs concrete data on the host (`jax.device_get`, `np.save`, `open`,
    plotting) gets a tracer.
    """

    function: str


@dataclass(frozen=True, slots=True)
class DynamicSize(Event):
    """An output size depends on the values of a tracer; `size_parameter`, or "", would fix it."""

    function: str
    size_parameter: str


@dataclass(frozen=True, slots=True)
class ShapeArgument(Event):
    """A tracer stands where a shape or a size is needed."""

    function: str
    parameter: str


@dataclass(frozen=True, slots=True)
class StaticArgument(Event):
    """A tracer stands for a parameter that is static, `by_user` in their own jitted function."""

    function: str
    parameter: str
    by_user: bool


@dataclass(frozen=True, slots=True)
class StagedConstant(Event):
    """JAX makes a tracer of values that tracing knows, which `line` needs as Python values."""

    line: int


@dataclass(frozen=True, slots=True)
class InvertedBool(Event):
    """`~` is applied to a Python bool, of this value where it is known; `inverted` is its text."""

    value: bool | None
    inverted: str


@dataclass(frozen=True, slots=True)
class MissingStaticArgument(Event):
    """An option of `jit` names a parameter, or its position, that the function does not have, or
    `argnums` of `grad` one that a call does not pass. `parameters` are those that it has.
    """

    function: str
    option: str
    parameter: str
    parameters: tuple[str, ...]


UnhashableKind = Literal[
    "list", "deque", "set", "dict", "array", "tracer", "class", "holder", "fields"
]
"""What has no hash: a container, an array, a tracer in what is passed, instances of a class that
defines equality alone, or an instance that holds a container or arrays."""


@dataclass(frozen=True, slots=True)
class Unhashable:
    """What cannot be hashed: its kind, what it is in words, and its class, if that takes it."""

    kind: UnhashableKind
    words: str
    cls: str = ""


@dataclass(frozen=True, slots=True)
class UnhashableStatic(Event):
    """A value that cannot be hashed is passed for a static argument."""

    function: str
    parameter: str
    what: Unhashable


ITERATOR: Final = "an iterator"
"""What a foreign value is that can be passed by its items."""


@dataclass(frozen=True, slots=True)
class ForeignOperand(Event):
    """A value that JAX does not take is passed for a traced argument, or with no `parameter` to a
    loop or branch; `what` says what it is.
    """

    function: str
    parameter: str
    what: str


@dataclass(frozen=True, slots=True)
class ForeignResult(Event):
    """A function returns a value that JAX does not take; `what` says what it is. `to` is the map,
    loop or branch that called it, or "" where it is jitted.
    """

    function: str
    what: str
    to: str = ""


@dataclass(frozen=True, slots=True)
class ForeignResidual(Event):
    """What the forward rule of `custom_vjp` keeps holds a value that JAX does not take."""

    function: str
    what: str


@dataclass(frozen=True, slots=True)
class TracedReceiver(Event):
    """A jitted method gets an instance of a class that is no pytree for `self`, untraceable."""

    function: str
    cls: str
    parameter: str


@dataclass(frozen=True, slots=True)
class ArrayNondiffArgument(Event):
    """`nondiff_argnums` names a parameter that is annotated as an array, or gets a tracer.
    `is_forward`: that of `custom_jvp`, not of `custom_vjp`.
    """

    function: str
    parameter: str
    annotation: str
    is_forward: bool = False


@dataclass(frozen=True, slots=True)
class MaskIndex(Event):
    """An array is indexed by a traced boolean mask; `update` is the method of `.at[]`, or "" for a
    read; `whole` whether the mask has as many dimensions as the array, where both are known.
    """

    container: str
    update: str
    whole: bool | None = None


@dataclass(frozen=True, slots=True)
class SliceBound(Event):
    """A slice has a traced bound; `rank` is how many dimensions the array has, where known."""

    container: str
    bound: Literal["start", "stop", "step"]
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class ItemAssignment(Event):
    """An item of an immutable array is assigned (`target_is_numpy` false; also outside any trace),
    or a NumPy buffer gets a tracer as an item. `operator` is "=" or an augmented form such as "+=";
    `index` the source of the index.
    """

    container: str
    index: str
    operator: str
    target_is_numpy: bool


@dataclass(frozen=True, slots=True)
class Leak(Event):
    """A tracer is stored where it outlives its trace: in `target`, the user's name for a place, or
    in the metadata of that class, where `members` hold it. `how` is the operation (`append`, `=`).
    """

    kind: LeakKind
    target: str
    how: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MetadataArray(Event):
    """A field of a pytree class `target` is metadata, and is annotated as an array, or gets one
    (`stored`): `member`.
    """

    target: str
    member: str
    stored: bool = False


@dataclass(frozen=True, slots=True)
class ModuleState(Event):
    """State of a module is made (`parameters`) or changed in a transform that does not know of it,
    or, of the framework's own, does not get it (`captured`), or a site of a model is handled in
    one. `target` is the user's text for what does so.
    """

    kind: Literal["parameters", "variable", "captured", "site"]
    target: str


@dataclass(frozen=True, slots=True)
class HashUse(Event):
    """A tracer is hashed: dict key, set member, argument of a cached function. `construct` says
    which.
    """

    construct: str


@dataclass(frozen=True, slots=True)
class ArrayHash(Event):
    """An array that is no tracer is hashed, where `construct` says: also where it is the default of
    a `field`, which has to have a hash.
    """

    construct: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class FormatUse(Event):
    """A tracer meets a numeric format: f-string spec, `format()`, `str.format` or `%`. `spec` is
    the format.
    """

    construct: str
    spec: str


@dataclass(frozen=True, slots=True)
class OuterChange(Event):
    """Traced code changes a Python value outside of it, or writes to a file (`target` is the
    function): that happens once, when tracing. `meant`: its name says that it is so on purpose.
    """

    target: str
    how: Literal["=", "append", "write"]
    meant: bool = False


@dataclass(frozen=True, slots=True)
class SideEffect(Event):
    """A traced function prints, logs or writes a traced value: it happens once, when tracing, and
    shows a tracer. `function` is `print`, `logging.info`, `file.write`, ...; `once` says that the
    program does so once where it runs, and not in each iteration of a loop, or never.
    """

    function: str
    once: bool


@dataclass(frozen=True, slots=True)
class SequenceOperand(Event):
    """A list or tuple stands where an array is needed. `function` is the function, the operator
    (`+`), or "" for an index. `count` is the integer array by which it is multiplied: to repeat it
    may be meant.
    """

    function: str
    kind: Literal["list", "tuple"]
    count: str = ""


@dataclass(frozen=True, slots=True)
class UnboundAxis(Event):
    """A collective operation names an axis that nothing around it maps; `available` are those that
    something does. `function` is the operation as the user spelled it.
    """

    function: str
    axis: str
    available: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Misfit(Event):
    """Operands do not fit an operation, whatever is unknown of them. `function` is the function or
    operator as the user spelled it, `given` its operands; its rule says `reason`, `detail` and
    `hint`.
    """

    problem: Literal["shape", "dtype"]
    function: str
    given: tuple[Operand, ...]
    reason: str
    detail: str
    hint: str


@dataclass(frozen=True, slots=True)
class GradientType(Event):
    """What is differentiated has no gradient: an argument of integers (`input`), a result that is
    no single number (`shape`), that is several (`tree`), or that is not real (`dtype`), or no pair
    in spite of `has_aux` (`aux`). `function` is differentiated by `transform`; `found` says what is
    there.
    """

    transform: str
    function: str
    problem: GradientProblem
    found: str


@dataclass(frozen=True, slots=True)
class CarryMismatch(Event):
    """The carry of a loop comes out of the body with another type than it went in, or two branches
    return results of different types, or a body or condition returns something else than it has to.
    `operator` is the loop or branch; `before` and `after` say how they differ; `part` names the
    place in the carry (`[1]`), or is "".
    """

    operator: str
    kind: CarryProblem
    before: str
    after: str
    part: str


@dataclass(frozen=True, slots=True)
class CertainError(Event):
    """Code raises whenever it is evaluated, for a reason that is no rule's."""
