"""Moments: what the interpreter announces while it runs, to analyses that are its guests.

The evaluator says once what happens, and does not know who listens: `driver` puts the guests
together. A moment to which nobody listens is an empty tuple, and costs a look at it.

Invariants:
- A guest keeps its state in the machine under the class of that state (`Machine.state_of`), and
  what it knows of an array in a facet of its own (`facets`). Nobody else reads either.
- Guests hear a moment in the order in which the register puts them: each after those that it names.
- A moment that returns a value hands each guest what the guest before it returned.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from oakum.values.facts import Facts
from oakum.values.records import dataclass
from oakum_lint.domain.arguments import Arguments, Signature
from oakum_lint.domain.callables import FunctionValue, Method, Pullback, Scope, Transformed
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, Loop, Trace, TraceEntry
from oakum_lint.domain.store import Key, Recorder
from oakum_lint.domain.values import (
    Array,
    Constant,
    External,
    HeapObject,
    Items,
    LibraryObject,
    TimeStamp,
    Value,
)
from oakum_lint.syntax import nodes
from oakum_lint.text.finding import Related

if TYPE_CHECKING:
    from oakum_lint.domain.interpreter import Machine

Bound = Mapping[str, Value]
"""What the parameters of a function are bound to."""
Places = Mapping[str, nodes.Node]
"""Where that stands in the program."""
Compared = tuple[Value, nodes.Expression]
"""An operand of a comparison, and where it stands."""
Applied = FunctionValue | Transformed
"""A method, or what a transform has made of it."""


CallEnd = Callable[[Recorder], None]
"""Is called when a compiled function has been traced: what the trace has read and written."""
IterationsEnd = Callable[[bool], None]
"""Is called when the iterations of a loop are over: whether one of them may have left it early."""


@dataclass(frozen=True, slots=True)
class Again:
    """The answer of a guest to the first iteration of a traced loop."""

    again: bool
    """Whether it asks for a second one."""
    end: Callable[[], None]
    """Is called when the iterations are over."""


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """The end of a loop whose iterations were not followed one by one."""

    loop: Loop
    place: nodes.Node
    """What it goes over, or its test."""
    target: str
    """The variable that it binds, if it is one."""
    written: Mapping[Key, Value]
    """What its last iteration has written."""
    count: Callable[[], int | None]
    """How many iterations it has; None where that is unknown."""


@dataclass(frozen=True, slots=True)
class CarriedLoop:
    """A loop of JAX with a carry: what goes in and what one iteration makes of it."""

    title: str
    """`lax.while_loop`."""
    bounds: Sequence[tuple[Value, nodes.Node]] | None
    """Between which numbers it counts, and where those are written; None: a condition ends it."""
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class CompiledCall:
    """A call of a compiled function."""

    function: Transformed
    signature: Signature
    arguments: Arguments
    lifted: Arguments
    """The arguments as the trace gets them."""
    static: frozenset[int | str] | None
    """Which parameters are static, by position or name, if that is known."""
    frame: Frame
    node: nodes.Node


@dataclass(frozen=True, slots=True)
class Moments:
    """Who hears each moment, in the order in which they do."""

    # --- operations -------------------------------------------------------------------------------
    elements_read: tuple[Callable[["Machine", Iterable[Value], Frame, nodes.Node], None], ...] = ()
    """An operation reads the elements of values: it needs their memory."""
    operands_met: tuple[Callable[["Machine", Iterable[Value], Frame, nodes.Node], None], ...] = ()
    """A device is to compute something of several values together."""
    dispatched: tuple[Callable[["Machine", str, Iterable[Value] | None, Frame], None], ...] = ()
    """Work was handed to the device, under a name for messages: an operation on values, or a
    compiled program (None). Python goes on before it is done."""
    host_waits: tuple[Callable[["Machine", tuple[Value, ...]], None], ...] = ()
    """Python reads values, and waits until they are computed; UNKNOWN: nobody knows which."""

    placed: tuple[Callable[["Machine", Value, Value, Frame, nodes.Node], Value], ...] = ()
    """What was made is on the device that an argument says; UNKNOWN: on some. Returns it."""
    indexed: tuple[
        Callable[["Machine", Value, Value, str, Frame, nodes.Node, nodes.Subscript], None], ...
    ] = ()
    """The elements of an array at an index are read, or changed by the named method of
    `x.at[index]`; the name of a read is ""."""

    item_read: tuple[Callable[["Machine", Array, Value, Array, Frame], Array], ...] = ()
    """An array is made by indexing another. Returns it."""
    axis_mapped: tuple[
        Callable[["Machine", str, Value, nodes.Node, Frame, nodes.Node], None], ...
    ] = ()
    """The named transform goes over an axis of a value, which stands at the place."""
    operated: tuple[
        Callable[["Machine", str, Value, Value, Array, Frame, nodes.Node], Array], ...
    ] = ()
    """An operator makes an array of two values, `-x` of zero and `x`. Returns it."""
    operation_compared: tuple[Callable[["Machine", nodes.BinaryOperation], None], ...] = ()
    """The result of an operation is about to be computed for a comparison."""
    identity_tested: tuple[
        Callable[["Machine", str, Compared, Compared, Frame, nodes.Comparison], None], ...
    ] = ()
    """Two values are compared by `is` or `is not`."""
    number_lifted: tuple[Callable[[Array, complex], Array], ...] = ()
    """A trace makes a tracer of a number of Python. Returns it."""
    elements_changed: tuple[Callable[[Array], Array], ...] = ()
    """The elements of an array of NumPy are changed in its place. Returns the array."""

    dropped: tuple[Callable[["Machine", Value, Frame, nodes.Node], None], ...] = ()
    """An expression is a statement of its own, which drops its value."""

    # --- calls ------------------------------------------------------------------------------------
    library_call: tuple[
        Callable[["Machine", External, Arguments, Frame, nodes.Node], None], ...
    ] = ()
    """A name from outside the project is called: before it is known what does it."""
    block_entered: tuple[
        Callable[["Machine", External, nodes.Call, Frame], Callable[[], object] | None], ...
    ] = ()
    """The body of a `with` of a library begins. What a guest returns is called at its end."""
    method_call: tuple[Callable[["Machine", Method, Arguments, Frame, nodes.Node], None], ...] = ()
    """A method of a value is called whose class is not of the project."""
    public_call: tuple[
        Callable[["Machine", Facts, Bound, Places, str, Frame, nodes.Node], None], ...
    ] = ()
    """A function of JAX makes an array, by its declaration and what its parameters are bound to;
    the text is the function as the user wrote it."""
    public_arguments: tuple[
        Callable[["Machine", Facts, Bound, Places, Frame, nodes.Node], None], ...
    ] = ()
    """A function of JAX is about to be run on what its parameters are bound to."""
    public_result: tuple[
        Callable[["Machine", Facts, Bound, Places, Array, str, Frame, nodes.Node], Array], ...
    ] = ()
    """A function of JAX has returned an array. Returns it."""
    unknown_call: tuple[Callable[["Machine", Value, Arguments, Frame, nodes.Node], None], ...] = ()
    """Something is called whose effects are unknown."""
    recalled: tuple[Callable[["Machine", Array, Frame], bool], ...] = ()
    """What a call has done before may be what one in a frame does, though an array that a facet
    identifies is another one. A guest says whether it takes the array as it took that one."""
    unfollowed: tuple[
        Callable[["Machine", FunctionValue, list[Value], Frame, nodes.Node], None], ...
    ] = ()
    """A function of the project is called, and not followed: what it gets it may change."""
    uncalled_argument: tuple[
        Callable[["Machine", FunctionValue, nodes.Parameter, Frame], Array | None], ...
    ] = ()
    """A function is called that nobody is seen to call: what a parameter without a default gets, of
    which nothing else is known."""
    uncalled_returned: tuple[Callable[["Machine", FunctionValue, Value, Frame], None], ...] = ()
    """A function that nobody is seen to call has returned: it got what is not known."""
    layer_called: tuple[
        Callable[["Machine", LibraryObject, Arguments, Frame, nodes.Node], None], ...
    ] = ()
    """A layer that a library has made is called."""
    module_applied: tuple[
        Callable[["Machine", HeapObject, Applied, Arguments, Arguments, Frame, nodes.Node], None],
        ...,
    ] = ()
    """A method of a module is run by `apply`: the arguments of that, and the method."""
    hosted: tuple[Callable[["Machine", FunctionValue, Frame], None], ...] = ()
    """A function becomes a callback: the host runs it when the program runs."""
    clock_read: tuple[Callable[["Machine", TimeStamp], None], ...] = ()
    time_measured: tuple[
        Callable[["Machine", TimeStamp, TimeStamp, Frame, nodes.Node], None], ...
    ] = ()
    """The time between two readings is computed: the later one, and the one before."""

    transform_made: tuple[Callable[["Machine", Transformed, Frame], None], ...] = ()
    """A transform has made a function of one."""
    compiled_call: tuple[Callable[["Machine", CompiledCall], CallEnd | None], ...] = ()
    """A compiled function is called. What a guest returns is called when it has been traced."""
    compiled_result: tuple[Callable[["Machine", CompiledCall, Value], None], ...] = ()
    """A compiled function has returned a result."""

    custom_called: tuple[
        Callable[["Machine", Transformed, Arguments, Frame, nodes.Node], None], ...
    ] = ()
    """A function with a derivative rule of its own is about to be called, by no such rule."""
    differentiated: tuple[
        Callable[["Machine", Transformed, tuple[int, ...] | None, Value, Frame, nodes.Node], None],
        ...,
    ] = ()
    """A function was differentiated by some arguments, if they are known, and returned a result."""

    pulled_back: tuple[Callable[["Machine", Pullback, Frame, nodes.Node], None], ...] = ()
    """The function that `vjp` has returned is called."""

    # --- traces -----------------------------------------------------------------------------------
    trace_entered: tuple[Callable[["Machine", Trace], None], ...] = ()
    traced: tuple[Callable[["Machine", TraceEntry, Value, Value], None], ...] = ()
    """A function has returned its result in a trace."""
    trace_left: tuple[Callable[["Machine", Trace], None], ...] = ()

    # --- names and objects ------------------------------------------------------------------------
    function_made: tuple[
        Callable[["Machine", nodes.FunctionDefinition | nodes.Lambda, Scope], None], ...
    ] = ()
    """The definition of a function has run in a scope."""
    read_outside: tuple[Callable[["Machine", Scope, str, Frame, nodes.Node], None], ...] = ()
    """Traced code reads a variable from outside every trace."""
    key_read: tuple[Callable[["Machine", HeapObject, Constant, Frame, nodes.Node], None], ...] = ()
    """Traced code looks up a key in a dict from outside every trace."""
    bound: tuple[Callable[["Machine", Key, Frame], None], ...] = ()
    """A variable, or an attribute of an instance, is about to be bound."""
    bound_outside: tuple[
        Callable[["Machine", Scope, str, Value | None, Value, Frame, nodes.Node], None], ...
    ] = ()
    """A variable of another scope is about to be bound: what it holds, and the new value."""
    attribute_stored: tuple[
        Callable[["Machine", Value, str, Value, Frame, nodes.Node], None], ...
    ] = ()
    """An attribute of an owner is about to be assigned."""
    fields_bound: tuple[
        Callable[["Machine", HeapObject, Bound, Arguments, Frame, nodes.Node], None], ...
    ] = ()
    """A class without an initializer of its own has bound the fields of an instance."""
    item_stored: tuple[Callable[["Machine", Value, Value, Frame, nodes.Subscript], None], ...] = ()
    """An item of an owner that is no container of Python's own is assigned."""
    written: tuple[Callable[["Machine", Key, Frame, nodes.Node], None], ...] = ()
    """A statement writes to an object: to an attribute, or to what it contains."""
    cached: tuple[
        Callable[["Machine", HeapObject | None, FunctionValue, Value, Frame, nodes.Node], None],
        ...,
    ] = ()
    """The result of a function is kept: on an object, or by the function itself."""
    advanced: tuple[Callable[["Machine", HeapObject, str, Frame, nodes.Node], None], ...] = ()
    """An iterator is advanced: how."""
    assigning: tuple[
        Callable[["Machine", nodes.Expression, nodes.Expression, Value, Frame], None], ...
    ] = ()
    """An assignment is about to bind a target to an expression, which has a value."""
    assigned: tuple[
        Callable[["Machine", nodes.Expression, nodes.Expression, Frame], None], ...
    ] = ()
    """An assignment has bound a target to the value of an expression."""
    changed: tuple[
        Callable[["Machine", Value, Value, Value, Frame, nodes.Attribute | nodes.Subscript], None],
        ...,
    ] = ()
    """An attribute or an item of an owner is computed from what it held, and is about to be bound:
    the owner, the old value, the new one."""
    stored: tuple[
        Callable[["Machine", HeapObject, Value, str, nodes.Node | None, Frame, nodes.Node], None],
        ...,
    ] = ()
    """A value is about to be stored in a container: how, and by which expression if it is one."""

    # --- loops ------------------------------------------------------------------------------------
    item_bound: tuple[
        Callable[["Machine", nodes.Expression, nodes.Expression, Frame], None], ...
    ] = ()
    """The target of a loop is bound to an item of the value of an expression."""
    followed: tuple[Callable[["Machine", nodes.Node, int, Frame], None], ...] = ()
    """A loop was followed item by item: what it iterates over, and how many iterations of loops
    that make traced operations are in it."""
    loop_left: tuple[Callable[["Machine", LoopEnd, Frame], None], ...] = ()
    """A loop has ended whose iterations were not followed one by one."""
    comprehended: tuple[
        Callable[["Machine", nodes.Comprehension, Items, Value, Frame], bool], ...
    ] = ()
    """A comprehension makes an element for each item. A guest says whether it has reported their
    number, so that what iterates over them does not."""
    comprehension_iteration: tuple[Callable[["Machine", Scope], bool], ...] = ()
    """The iteration that stands for all of a comprehension is over. A guest may want a second."""
    computed_for_each: tuple[
        Callable[["Machine", nodes.Node, Items, Sequence[Value], Frame], bool], ...
    ] = ()
    """A function of Python computes something for each item of what stands at a node, with results
    like these. A guest says what it says of a comprehension."""
    carried: tuple[Callable[["Machine", Iterable[Key], Value, Value], Again | None], ...] = ()
    """An iteration of a loop of JAX has written to cells, and made one carry of another."""
    repeated: tuple[Callable[["Machine", CarriedLoop, Value, Frame, nodes.Node], Value], ...] = ()
    """A loop of JAX that counts or has a condition is over: its carry. Returns it."""
    next_iteration: tuple[
        Callable[
            ["Machine", Sequence[Mapping[Key, Value]], Loop, Frame, bool], IterationsEnd | None
        ],
        ...,
    ] = ()
    """A second iteration of a loop begins after a first, by what each path of that has written; the
    last argument: it is known that there is one."""

    # --- reports ----------------------------------------------------------------------------------
    doubted: tuple[
        Callable[
            ["Machine", Callable[..., Event], Frame, nodes.Node, nodes.Node], Sequence[Related]
        ],
        ...,
    ] = ()
    """An event of a class is about to be reported, at a place and of an operand. A guest returns
    what of it is not certain."""

    # --- the run ----------------------------------------------------------------------------------
    group_ended: tuple[Callable[["Machine"], None], ...] = ()
    """The bodies of all modules have been interpreted, or a group of the work that they left."""


@dataclass(frozen=True, slots=True)
class Guest:
    """One analysis: what it is called, what it hears, and the guests that hear a moment before it,
    because it reads what they make of it.
    """

    name: str
    moments: Moments
    after: tuple[str, ...] = ()


def read_elements(
    machine: "Machine", values: Iterable[Value], frame: Frame, node: nodes.Node
) -> None:
    """Announces that the elements of values are read."""
    for hears in machine.moments.elements_read:
        hears(machine, values, frame, node)


def meet(machine: "Machine", values: Iterable[Value], frame: Frame, node: nodes.Node) -> None:
    """Announces that a device is to compute something of values."""
    for hears in machine.moments.operands_met:
        hears(machine, values, frame, node)


def place_on(
    machine: "Machine", value: Value, device: Value, frame: Frame, node: nodes.Node
) -> Value:
    """Announces that what was made is on a device, and returns it."""
    for hears in machine.moments.placed:
        value = hears(machine, value, device, frame, node)
    return value


def announce_binding(machine: "Machine", key: Key, frame: Frame) -> None:
    """Announces that a variable, or an attribute of an instance, is about to be bound."""
    for hears in machine.moments.bound:
        hears(machine, key, frame)


def change(
    machine: "Machine",
    owner: Value,
    old: Value,
    new: Value,
    frame: Frame,
    target: nodes.Attribute | nodes.Subscript,
) -> None:
    """Announces that what an owner holds at a target is about to become what is computed of it."""
    for hears in machine.moments.changed:
        hears(machine, owner, old, new, frame, target)


def write_to(machine: "Machine", key: Key, frame: Frame, node: nodes.Node) -> None:
    """Announces that a statement writes to an object."""
    for hears in machine.moments.written:
        hears(machine, key, frame, node)


def set_attribute_of(
    machine: "Machine", owner: Value, name: str, value: Value, frame: Frame, node: nodes.Node
) -> None:
    """Announces that an attribute is about to be assigned."""
    for hears in machine.moments.attribute_stored:
        hears(machine, owner, name, value, frame, node)


def set_item_of(
    machine: "Machine", owner: Value, value: Value, frame: Frame, node: nodes.Subscript
) -> None:
    """Announces that an item of something is assigned."""
    for hears in machine.moments.item_stored:
        hears(machine, owner, value, frame, node)


def bind_outside(
    machine: "Machine",
    scope: Scope,
    name: str,
    old: Value | None,
    new: Value,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Announces that a variable of another scope is about to be bound."""
    for hears in machine.moments.bound_outside:
        hears(machine, scope, name, old, new, frame, node)


def cache(
    machine: "Machine",
    owner: HeapObject | None,
    function: FunctionValue,
    value: Value,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Announces that the result of a function is kept, on an object or by the function itself."""
    for hears in machine.moments.cached:
        hears(machine, owner, function, value, frame, node)


def advance(
    machine: "Machine", iterator: HeapObject, how: str, frame: Frame, node: nodes.Node
) -> None:
    """Announces that an iterator is advanced."""
    for hears in machine.moments.advanced:
        hears(machine, iterator, how, frame, node)


def compute_for_each(
    machine: "Machine", node: nodes.Node, items: Items, results: Sequence[Value], frame: Frame
) -> bool:
    """Announces that a function of Python computes something for each item; whether a guest has
    reported how many there are.
    """
    reported = [
        hears(machine, node, items, results, frame) for hears in machine.moments.computed_for_each
    ]
    return any(reported)


def store_in(
    machine: "Machine",
    owner: HeapObject,
    value: Value,
    how: str,
    frame: Frame,
    node: nodes.Node,
    source: nodes.Node | None = None,
) -> None:
    """Announces that a value is about to be stored in a container."""
    for hears in machine.moments.stored:
        hears(machine, owner, value, how, source, frame, node)


def wait_for(machine: "Machine", *values: Value) -> None:
    """Announces that Python waits for values; UNKNOWN: nobody knows for which."""
    for hears in machine.moments.host_waits:
        hears(machine, values)


def dispatch(machine: "Machine", name: str, values: Iterable[Value] | None, frame: Frame) -> None:
    """Announces work that is handed to the device."""
    for hears in machine.moments.dispatched:
        hears(machine, name, values, frame)
