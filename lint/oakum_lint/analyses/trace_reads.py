"""What compiled functions keep: what their traces read."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar

from oakum.values.records import dataclass, field
from oakum_lint.analyses.call_shapes import Called, shape_of_call
from oakum_lint.analyses.form_reads import asks_form_alone, function_in
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import ClassValue, FunctionValue, Method, Scope, Site, Transformed
from oakum_lint.domain.events import Event
from oakum_lint.domain.facets import Facet
from oakum_lint.domain.frames import Frame, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import CallEnd, CompiledCall, Guest, Moments
from oakum_lint.domain.store import CONTENT, Key, Owner, Part, Recorder
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Choice,
    Constant,
    Entries,
    External,
    HeapObject,
    Items,
    Scalar,
    TupleValue,
    Value,
)
from oakum_lint.models.packages import in_jax
from oakum_lint.python.expressions.operators import choices_of
from oakum_lint.syntax import nodes

MAX_KEPT = 64
MAX_PLACES = 8
"""So many places are known where a variable is read."""
FORGETS = "clear_caches"
COMPUTED = "what it holds now is computed, and may be equal to what it held"
"""The function that has all compiled functions forget their programs."""


@dataclass(frozen=True, slots=True)
class ChangedObject(Event):
    """An object that a compiled function has read is changed before it is called again at `call`;
    `content`: it is a container.
    """

    call: str
    content: bool


@dataclass(frozen=True, slots=True)
class ReadVariable(Event):
    """A compiled function has read a variable that has another value when it is called again at
    `call`.
    """

    name: str
    call: str


@dataclass(frozen=True, slots=True)
class Kept:
    """One program of a compiled function: what it was called with, and what tracing read, with None
    for what was not there.
    """

    called: Value
    reads: dict[Key, Value | None]
    parts: dict[Owner, Part]
    """How much of the containers."""
    bound: dict[Key, int]
    """How often what it read had been bound."""
    function: Transformed
    """The compiled function, which lasts as long as its program is known by it."""

    def part_of(self, owner: Owner, content: Value | None) -> Value | None:
        """Of what a container holds, or another in its place, that which tracing looks up."""
        part = self.parts.get(owner)
        if part is None or not isinstance(content, Entries):
            return content
        known = [item for item in content.known if Constant(item[0]) in part]
        return Entries(tuple(known), content.rest)


_Identity = tuple[object, ...]
_Read = tuple[Site, frozenset[Site]]
"""Where something is read, and where the traces have begun that do so."""
CHANGES = Facet[int]("changes")
"""How often elements of an array were assigned in its place."""


@dataclass(slots=True)
class Reads:
    """The cells that traces have read, and those that were written since: as `Programs`, by each
    piece of work for itself. Of Flax and Optax it is nine tenths of all that analyses hold while
    modules run.
    """

    forgotten: ClassVar = True
    variables: dict[Key, tuple[_Read, ...]] = field(default_factory=dict[Key, tuple[_Read, ...]])
    """Where code under tracing has read a variable from outside, the last places."""
    keys: dict[tuple[Owner, Value], Site] = field(default_factory=dict[tuple[Owner, Value], Site])
    """Where code under tracing has last looked up a key of a dict from outside."""
    bindings: Counter[Key] = field(default_factory=Counter[Key])
    """How often a variable was bound outside every trace, on every path."""
    written: dict[Key, Site] = field(default_factory=dict[Key, Site])
    """Where an object was last changed."""


@dataclass(slots=True)
class Programs:
    """The programs of compiled functions, by what is forgotten with a definition, and by the
    functions. Each piece of work has its own: else all that calls a function would depend on each
    script that has called it.
    """

    forgotten: ClassVar = True
    made: dict[_Identity, dict[_Identity, list[Kept]]] = field(
        default_factory=dict[_Identity, dict[_Identity, list[Kept]]]
    )

    def of(self, function: Transformed) -> list[Kept]:
        """The programs of a function, to which others may be added."""
        definition, identity = _identity(function)
        return self.made.setdefault(definition, {}).setdefault(identity, [])


def _note_change(array: Array) -> Array:
    return CHANGES.put(array, (CHANGES.of(array) or 0) + 1)


def _note_binding(machine: Machine, key: Key, frame: Frame) -> None:
    if not frame.level and not frame.is_guarded:
        bindings = machine.state_of(Reads).bindings
        bindings[key] = bindings.get(key, 0) + 1


def _note_write(machine: Machine, key: Key, frame: Frame, node: nodes.Node) -> None:
    machine.state_of(Reads).written[key] = frame.site(node)


def _note_read(machine: Machine, scope: Scope, name: str, frame: Frame, node: nodes.Node) -> None:
    variables = machine.state_of(Reads).variables
    read = frame.site(node), frozenset(each.site for each in traces(frame.trace))
    before = [each for each in variables.get((scope, name), ()) if each != read]
    variables[scope, name] = (*before[1 - MAX_PLACES :], read)


def _note_key_read(
    machine: Machine, owner: HeapObject, key: Constant, frame: Frame, node: nodes.Node
) -> None:
    machine.state_of(Reads).keys[owner, key] = frame.site(node)


def _check_call(machine: Machine, call: CompiledCall) -> CallEnd | None:
    """Reports what a program that was compiled before has read, if it has changed since; then
    keeps what the call compiles.
    """
    if call.function.transform.scope != "all":
        # What is no array, and what modules hold, may choose the program.
        return None
    called = shape_of_call(machine, call)
    if called is None:
        return None
    _check_stale(machine, call.function, called, call.frame, call.node)
    return partial(_keep, machine, call.function, called)


def _check_stale(
    machine: Machine, function: Transformed, called: Called, frame: Frame, node: nodes.Node
) -> None:
    reads = machine.state_of(Reads)
    for kept in machine.state_of(Programs).of(function):
        if kept.called != called.shape:
            continue
        for (owner, name), read in kept.reads.items():
            now = kept.part_of(owner, machine.store.get((owner, name)))
            seen = _of_class(kept, owner, name) if read is None else kept.part_of(owner, read)
            if seen is None:
                continue
            bound_again = reads.bindings.get((owner, name), 0) > kept.bound[owner, name]
            if now is None or _reads_form_alone(machine, kept, (owner, name), seen, now):
                continue
            if _differs(seen, now) or (bound_again and _is_replaced(machine, kept, seen, now)):
                _report(machine, kept, owner, name, frame, node, called.doubt)
            elif _is_computed(seen, now):
                _report(machine, kept, owner, name, frame, node, COMPUTED)


def _reads_form_alone(machine: Machine, kept: Kept, variable: Key, seen: Value, now: Value) -> bool:
    """Whether a program asks an array for its shape and dtype alone, which those have too, as far
    as these are known, that are in its place now.
    """
    owner, name = variable
    function, sites = function_in(kept.function.function), _sites_of_reads(machine, kept, variable)
    is_attribute = isinstance(owner, HeapObject)
    if not isinstance(seen, Array) or function is None or not (sites or is_attribute):
        return False
    inside = all(_stands_in(site, function) for site in sites)
    if not inside or not _have_form(choices_of(now), seen):
        return False
    return asks_form_alone(function, name, attribute=is_attribute)


def _site_of_read(machine: Machine, kept: Kept, variable: Key) -> Site | None:
    """Where a program has last read a variable, or some other one has, if it is not known of it."""
    reads = machine.state_of(Reads).variables.get(variable, ())
    own = _sites_of_reads(machine, kept, variable)
    return own[-1] if own else reads[-1][0] if reads else None


def _sites_of_reads(machine: Machine, kept: Kept, variable: Key) -> list[Site]:
    """The last places where a program has read a variable."""
    reads = machine.state_of(Reads).variables.get(variable, ())
    return [site for site, begun in reads if kept.function.site in begun]


def _stands_in(site: Site, function: FunctionValue) -> bool:
    definition = function.definition
    return site.unit is function.unit and definition.start <= site.start <= definition.end


def _have_form(values: Iterable[Value], array: Array) -> bool:
    """Whether some values are arrays, and none is known to have another shape or dtype than one."""
    return all(
        isinstance(value, Array)
        and _may_equal(value.aval.shape, array.aval.shape)
        and _may_equal(value.aval.dtype, array.aval.dtype)
        for value in values
    )


def _may_equal(one: object, other: object) -> bool:
    return one is None or other is None or one == other


def _of_class(kept: Kept, owner: Owner, name: str) -> Value | None:
    """Returns the attribute that tracing found on the class of an object without one of its own."""
    own = owner.cls if isinstance(owner, HeapObject) else None
    for cls in own.order if own is not None else ():
        if not isinstance(cls, ClassValue):
            return None
        found = kept.reads.get((cls.body, name))
        if found is not None:
            return found
    return None


def _identity(function: Transformed) -> tuple[_Identity, _Identity]:
    """The definition with which the programs of a function are forgotten, and the function."""
    target = function.function
    if isinstance(target, FunctionValue):
        return (id(target.definition), target.scope.uid), (function.name,)
    inner = target
    while isinstance(inner, Transformed):
        inner = inner.function
    if isinstance(inner, FunctionValue):
        # A transform of it is forgotten with it, and is another one each time that it is made.
        return (id(inner.definition), inner.scope.uid), (function.name, id(target))
    return (id(target),), (function.name,)


def _differs(seen: Value, now: Value) -> bool:
    """Whether two contents of one cell are certainly not equal."""
    match seen, now:
        case Constant(), Constant():
            return seen != now
        case Array(), Array():
            return (CHANGES.of(seen) or 0) < (CHANGES.of(now) or 0)
        case (FunctionValue() | External(), FunctionValue() | External()):
            return seen != now
        case (TupleValue(a), TupleValue(b)) | (Items(a), Items(b)):
            if a is None or b is None:
                return False
            return len(a) != len(b) or any(map(_differs, a, b))
        case Entries(known, None), Entries(_, None):
            return len(known) != len(now.known) or any(
                (other := now.get(key)) is not None and _differs(value, other)
                for key, value in known
            )
        case _:
            return False


def _is_computed(seen: Value, now: Value) -> bool:
    """Whether an iteration of a loop has put a computed number in the place of a known one: if it
    had computed the same number again, that would still be known.
    """
    match seen, now:
        case Constant(int() | float()), Scalar(kind=kind):
            return kind in ("int", "float", "number")
        case _:
            return False


def _is_replaced(machine: Machine, kept: Kept, seen: Value, now: Value) -> bool:
    """Whether all that the program has read of a value is another array or number in the one that
    was bound in its place.
    """
    pairs = [(seen, now)]
    while pairs:
        before, after = pairs.pop()
        machine.budget.steps -= 1
        if before is after or machine.budget.is_spent:
            return False
        if isinstance(before, Array) and isinstance(after, Array):
            continue
        parts = _counterparts(machine, kept, before, after)
        if not parts and not (isinstance(before, Constant) and _differs(before, after)):
            return False
        pairs.extend(parts)
    return True


def _counterparts(
    machine: Machine, kept: Kept, before: Value, after: Value
) -> list[tuple[Value, Value]]:
    """Lists the parts of a value that the program has read, each with what stands in its place in
    another value; nothing where they are not of one form.
    """
    seen: Sequence[Value | None]
    found: Sequence[Value | None]
    match before, after:
        case _, Choice(options):
            # After a loop: what it has bound, and what was bound before it.
            return [(before, option) for option in options if option is not before]
        case (TupleValue(tuple(a)), TupleValue(tuple(b))) | (Items(tuple(a)), Items(tuple(b))):
            seen, found = a, b
        case Entries(known, None), Entries(others, None) if len(known) == len(others):
            seen, found = [value for _, value in known], [after.get(key) for key, _ in known]
        case HeapObject(), HeapObject() if before.kind == after.kind and before.cls is after.cls:
            keys = [key for key, value in kept.reads.items() if value and key[0] is before]
            seen = [kept.part_of(before, kept.reads[key]) for key in keys]
            found = [kept.part_of(before, machine.store.get((after, name))) for _, name in keys]
        case _:
            return []
    pairs = [(a, b) for a, b in zip(seen, found, strict=True) if a and b]
    return pairs if len(pairs) == len(seen) else []


def _variable(kept: Kept, owner: HeapObject) -> Key | None:
    """The variable by whose name a program has found a container."""
    for (scope, name), read in kept.reads.items():
        if read is owner and isinstance(scope, Scope) and scope.kind != "class":
            return scope, name
    return None


def _place_of_read(
    machine: Machine, kept: Kept, owner: HeapObject, variable: Key
) -> tuple[Site | None, str]:
    """Where a program has read what has changed in a container since, and as what."""
    seen = kept.part_of(owner, kept.reads[owner, CONTENT])
    now = kept.part_of(owner, machine.store.get((owner, CONTENT)))
    if isinstance(seen, Entries) and isinstance(now, Entries):
        for key, value in seen.known:
            other = now.get(key)
            read = machine.state_of(Reads).keys.get((owner, Constant(key)))
            if read is not None and (other is None or _differs(value, other)):
                return read, f"{variable[1]}[{key!r}]"
    return _site_of_read(machine, kept, variable), variable[1]


def _report_read(
    machine: Machine,
    read: Site | None,
    name: str,
    frame: Frame,
    node: nodes.Node,
    doubt: str,
) -> None:
    if read is not None:
        at = Frame(frame.scope, read.unit, read.module, None)
        place = nodes.Pass(read.start, read.end)
        call = frame.text(node)
        machine.emit(ReadVariable, at, place, UNKNOWN, place, doubt, name=name, call=call)


def _report(
    machine: Machine,
    kept: Kept,
    owner: Owner,
    name: str,
    frame: Frame,
    node: nodes.Node,
    doubt: str,
) -> None:
    key = (owner, name)
    held = machine.store.get(key)
    changed = held is not None and CHANGES.of(held)
    if isinstance(owner, Scope) and owner.kind != "class" and not changed:
        _report_read(machine, _site_of_read(machine, kept, key), name, frame, node, doubt)
        return
    if isinstance(owner, HeapObject) and name == CONTENT and (variable := _variable(kept, owner)):
        read, text = _place_of_read(machine, kept, owner, variable)
        _report_read(machine, read, text, frame, node, doubt)
        return
    written = machine.state_of(Reads).written.get(key)
    if written is not None and isinstance(owner, HeapObject | Scope):
        at = Frame(frame.scope, written.unit, written.module, None)
        place = nodes.Pass(written.start, written.end)
        machine.emit(
            ChangedObject,
            at,
            place,
            UNKNOWN,
            place,
            doubt,
            call=frame.text(node),
            content=name == CONTENT or isinstance(held, Array),
        )


def _forget_all(
    machine: Machine, function: External, _arguments: Arguments, _frame: Frame, _node: nodes.Node
) -> None:
    """Has all compiled functions forget their programs, if that is what is called."""
    if function.path.endswith(FORGETS) and in_jax(function.path):
        machine.state_of(Programs).made.clear()


def _forget(
    machine: Machine, method: Method, _arguments: Arguments, _frame: Frame, _node: nodes.Node
) -> None:
    """Has a compiled function forget its programs, if that is what is called."""
    if method.name == "clear_cache" and isinstance(method.receiver, Transformed):
        machine.state_of(Programs).of(method.receiver).clear()


def _forget_programs(
    machine: Machine, definition: nodes.FunctionDefinition | nodes.Lambda, scope: Scope
) -> None:
    """Forgets what was compiled of a function whose definition runs again: it makes another."""
    machine.state_of(Programs).made.pop((id(definition), scope.uid), None)


def _keep(machine: Machine, function: Transformed, called: Called, recorder: Recorder) -> None:
    """Notes what tracing a function has read of variables and objects older than the call, and has
    not changed itself.
    """
    reads = machine.state_of(Reads)
    programs = machine.state_of(Programs).of(function)
    if len(programs) < MAX_KEPT:
        seen = {key: value for key, value in recorder.reads.items() if key not in recorder.writes}
        bound = {key: reads.bindings.get(key, 0) for key in seen}
        programs.append(Kept(called.shape, seen, recorder.parts, bound, function))


GUEST = Guest(
    "trace_reads",
    Moments(
        library_call=(_forget_all,),
        method_call=(_forget,),
        compiled_call=(_check_call,),
        function_made=(_forget_programs,),
        read_outside=(_note_read,),
        key_read=(_note_key_read,),
        bound=(_note_binding,),
        elements_changed=(_note_change,),
        written=(_note_write,),
    ),
    after=("jit_in_loop", "retrace_in_loop"),
)
