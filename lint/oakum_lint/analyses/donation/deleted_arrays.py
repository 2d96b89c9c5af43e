"""Donated arguments: whether a result can take their memory, and that nobody reads them again."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from oakum.values.avals import ShapedArray
from oakum.values.donated_memory import Taker, takers
from oakum.values.records import dataclass, replace
from oakum_lint.analyses.donation.aliases import Copies, alike, copies_of, is_copy
from oakum_lint.analyses.donation.donated_reads import is_read
from oakum_lint.analyses.donation.readers import is_yielded, shown
from oakum_lint.arrays.array_results import operands, to_abstract
from oakum_lint.arrays.pytrees import leaves_of
from oakum_lint.domain.arguments import Arguments, Signature
from oakum_lint.domain.callables import Method, Transformed
from oakum_lint.domain.events import Event
from oakum_lint.domain.facets import Facet
from oakum_lint.domain.frames import Frame, Loop
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Applied, CompiledCall, Guest, IterationsEnd, Moments
from oakum_lint.domain.names import bound_in, look_up
from oakum_lint.domain.store import CONTENT, Key
from oakum_lint.domain.summaries.memory import expects_misfits
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Entries,
    External,
    HeapObject,
    Items,
    Origin,
    Place,
    TupleValue,
    Unknown,
    Value,
)
from oakum_lint.jax.static_arguments import known_names, positions_in
from oakum_lint.models.frameworks.register import reads_leaves
from oakum_lint.models.host.builtins import SHOWING_ALL
from oakum_lint.python.expressions.operators import is_number
from oakum_lint.syntax import nodes

DELETES = "delete"
How = Literal["donated", "held", "deleted", "passed twice"]
FREED = Facet[How]("freed")
"""How the memory of an array was certainly freed; that of one that is "held" by a donated tree of
which not all is known was likely.
"""


Donated = tuple[str, Value, nodes.Node, list[ShapedArray]]
"""An argument: its parameter, its value, where it stands, and what its leaves are."""
HELD = "not all that was donated is known: the memory of some of it may be left"


@dataclass(frozen=True, slots=True)
class UselessDonation(Event):
    """An argument is donated whose shape and dtype no result has; `given` is what it is."""

    function: str
    parameter: str
    given: str


@dataclass(frozen=True, slots=True)
class DeletedArrayUse(Event):
    """An array is used whose memory is gone: `how`. One that is "passed twice" is donated by the
    call that gets it in another argument too, as the parameter `donated`.
    """

    how: How = "donated"
    donated: str = ""


def _donate(machine: Machine, call: CompiledCall, result: Value) -> None:
    """Deletes the arguments that a call donates to its function: one that is compiled."""
    function, signature, frame, node = call.function, call.signature, call.frame, call.node
    if frame.level or any(caller.regions.unjitted for caller in frame.callers()):
        return
    results, complete = _avals(machine, result, frame, node)
    complete = complete and all(map(_is_known, results))
    results = [aval for aval in results if _is_known(aval)]
    donated: list[Donated] = []
    held: list[tuple[Value, nodes.Node]] = []
    for name, value, place in _donated(function, call.arguments, signature, node):
        if not is_read(machine, function, name, value):
            continue
        machine.state_of(Copies).matter = True
        leaves, whole = _avals(machine, value, frame, node, beside_numbers=True)
        is_known = whole and bool(leaves) and all(map(_is_known, leaves))
        if is_known and not held:
            donated.append((name, value, place, leaves))
        elif not complete:
            # It may take the memory of a result before those that follow.
            held.append((value, place))
    _free_known(machine, call, donated, results, complete=complete)
    for value, place in held:
        if _is_returned_updated(machine, value, result, frame, node):
            _free(machine, value, place, frame, "held")
            _free_unknown(machine, copies_of(machine, place, frame))


def _free_known(
    machine: Machine,
    call: CompiledCall,
    donated: Sequence[Donated],
    results: Sequence[ShapedArray],
    *,
    complete: bool,
) -> None:
    """Deletes donated arguments of which all is known, where the results of a call take their
    memory, and reports those that no result can take: `complete` says whether these are all.
    """
    frame, node = call.frame, call.node
    found = iter(takers([leaf for *_, leaves in donated for leaf in leaves], results))
    starts = [place.start for *_, place, _ in donated]
    for name, value, place, leaves in donated:
        own = [next(found) for _ in leaves]
        if all(taker is Taker.ALIKE for taker in own):
            _check_passed_once(machine, call, name, value, place, starts)
            if is_yielded(machine, value, frame):
                continue
            arrays = leaves_of(machine, value, frame, node)[0]
            places = place.elements if isinstance(place, nodes.Display) else (place,)
            for part in places:
                _free_copies(machine, arrays, part, frame)
            _free(machine, value, place, frame)
        elif complete and not any(taker.takes for taker in own):
            site = call.function.site
            at = Frame(frame.scope, site.unit, site.module, None)
            made = nodes.Pass(site.start, site.end)
            machine.emit(
                UselessDonation,
                at,
                made,
                UNKNOWN,
                made,
                function=call.signature.name,
                parameter=name,
                given=str(leaves[0]),
            )


def _is_returned_updated(
    machine: Machine, value: Value, result: Value, frame: Frame, node: nodes.Node
) -> bool:
    """Whether a result is likely to take the memory of what a tree holds that is not all known:
    another object of its class is returned, or something else of which nothing is known.
    """
    returned = operands((result,))
    if isinstance(value, HeapObject) and value.kind == "instance":
        same = [each for each in returned if isinstance(each, HeapObject) and each.cls is value.cls]
        return bool(same) and value not in same
    leaves, _ = leaves_of(machine, result, frame, node)
    return any(isinstance(each, Unknown) for each in leaves)


def _check_passed_once(
    machine: Machine,
    call: CompiledCall,
    donated: str,
    gone: Value,
    place: nodes.Node,
    starts: Collection[int],
) -> None:
    """Reports a variable or an attribute that a call donates and passes in another argument, there
    perhaps under another name. Of two arguments that are both donated, which start at `starts`, the
    latter is reported.
    """
    frame, arguments = call.frame, call.arguments
    text = frame.text(place)
    places = [arguments.place(at, "", call.node) for at in range(len(arguments.positional))]
    values = (*arguments.positional, *arguments.keywords.values())
    places += [arguments.place(-1, name, call.node) for name in arguments.keywords]
    for value, other in zip(values, places, strict=True):
        named = isinstance(other, nodes.Name | nodes.Attribute) and (
            frame.text(other) == text or (value is gone and is_copy(machine, place, other, frame))
        )
        later = other.start > place.start
        if named and (later or other.start not in {*starts, place.start}):
            machine.emit(
                DeletedArrayUse, frame, other, value, other, how="passed twice", donated=donated
            )


def _donated(
    function: Transformed, arguments: Arguments, signature: Signature, node: nodes.Node
) -> list[tuple[str, Value, nodes.Node]]:
    """The donated arguments: names, values, and where they stand in the call."""
    numbers = set(positions_in(function.option("donate_argnums")) or ())
    option = function.option("donate_argnames")
    names = set(() if option is None or option == NONE else known_names(option) or ())
    parameters = signature.positional
    names |= {parameters[n].name for n in numbers if -len(parameters) <= n < len(parameters)}
    found: list[tuple[str, Value, nodes.Node]] = []
    for position, value in enumerate(arguments.positional):
        parameter = signature.parameter(position)
        if parameter is not None and parameter.name in names:
            found.append((parameter.name, value, arguments.place(position, "", node)))
    for name, value in arguments.keywords.items():
        if name in names:
            found.append((name, value, arguments.place(-1, name, node)))
    return found


def _avals(
    machine: Machine,
    value: Value,
    frame: Frame,
    node: nodes.Node,
    *,
    beside_numbers: bool = False,
) -> tuple[list[ShapedArray], bool]:
    """The avals of the arrays of a tree, and whether they are all, or all beside numbers of Python,
    whose arrays nobody else holds.
    """
    leaves, complete = leaves_of(machine, value, frame, node)
    avals: list[ShapedArray] = [to_abstract(leaf) for leaf in leaves if isinstance(leaf, Array)]
    numbers = sum(map(is_number, leaves)) if beside_numbers else 0
    return avals, complete and len(avals) + numbers == len(leaves)


def _is_known(aval: ShapedArray) -> bool:
    shape = aval.shape
    return (
        shape is not None and aval.dtype is not None and all(isinstance(dim, int) for dim in shape)
    )


def _free(
    machine: Machine, value: Value, place: nodes.Node, frame: Frame, how: How = "donated"
) -> None:
    """Says of the variables and containers that held the arrays that they are gone."""
    if isinstance(value, HeapObject):
        _free_content(machine, value, how)
        return
    freed = _freed(machine, value, how)
    match place:
        case nodes.Name(identifier=identifier):
            scope = bound_in(machine, identifier, frame)
            if scope is not None:
                machine.write(scope, identifier, freed)
        case nodes.Display(elements=places) if isinstance(value, TupleValue):
            for part, inner in zip(value.elements or (), places, strict=False):
                _free(machine, part, inner, frame)
        case nodes.Attribute(value=nodes.Name(identifier=identifier), attribute=attribute):
            owner = look_up(machine, identifier, frame)
            if isinstance(owner, HeapObject) and owner.kind == "instance":
                machine.write(owner, attribute, freed)
        case nodes.Subscript(value=nodes.Name(identifier=identifier)):
            _free_item(machine, identifier, value, frame, how)
        case _:
            pass


def _free_item(machine: Machine, container: str, item: Value, frame: Frame, how: How) -> None:
    """Says of the tuple, list or dict that held an array that this is gone."""
    owner = look_up(machine, container, frame)
    if isinstance(owner, HeapObject):
        content = machine.read(owner, CONTENT)
        if content is not None:
            machine.write(owner, CONTENT, _free_in(content, (item,), how=how))
        return
    scope = bound_in(machine, container, frame)
    if scope is not None and isinstance(owner, TupleValue):
        machine.write(scope, container, _free_in(owner, (item,), how=how))


def _free_copies(
    machine: Machine, arrays: list[Value], place: nodes.Node, frame: Frame, how: How = "donated"
) -> None:
    """Marks the variables and containers that hold these very arrays likewise."""
    for key in copies_of(machine, place, frame):
        held = machine.store.get(key)
        if held is not None:
            freed = _free_in(held, arrays, how=how)
            if freed is not held:
                machine.write(*key, freed)


def _free_unknown(machine: Machine, keys: Iterable[Key]) -> None:
    """Marks the variables of which nothing is known as held by a donated tree."""
    for key in keys:
        held = machine.store.get(key)
        if isinstance(held, Unknown):
            machine.write(*key, FREED.put(held, "held"))


def _freed(machine: Machine, value: Value, how: How = "donated") -> Value:
    match value:
        case Array(_, Place.DEVICE):
            return FREED.put(value, how)
        case Unknown() if how == "held":
            return FREED.put(value, how)
        case TupleValue(elements) if elements is not None:
            return replace(value, elements=tuple(_freed(machine, part, how) for part in elements))
        case HeapObject():
            _free_content(machine, value, how)
            return value
        case _:
            return value


def _free_content(machine: Machine, owner: HeapObject, how: How) -> None:
    for field in (owner.cls.fields if owner.cls is not None else None) or ():
        held = None if field.static else machine.read(owner, field.name)
        if held is not None:
            machine.write(owner, field.name, _freed(machine, held, how))
            if how == "held":
                _free_unknown(machine, alike(machine, (owner, field.name)))
    content = machine.read(owner, CONTENT)
    match content:
        case Items(elements) if elements is not None:
            new: Value = Items(tuple(_freed(machine, part, how) for part in elements))
        case Entries(known, rest):
            new = Entries(tuple((key, _freed(machine, part, how)) for key, part in known), rest)
        case _:
            return
    machine.write(owner, CONTENT, new)


def _check_alive(machine: Machine, values: Iterable[Value], frame: Frame, node: nodes.Node) -> None:
    """Reports the use of an array whose memory is gone."""
    if not machine.state_of(Copies).matter:  # none was donated so far
        return
    for value in operands(values):
        how = FREED.of(value)
        if how is not None and not expects_misfits(machine, frame):
            outside = replace(value, level=0) if isinstance(value, Array) else value
            doubt = HELD if how == "held" else ""
            machine.emit(DeletedArrayUse, frame, node, outside, node, doubt, how=how)
            return


def _check_applied(
    machine: Machine,
    _module: HeapObject,
    _method: Applied,
    arguments: Arguments,
    _inner: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports the use of deleted arrays by a module: as its variables, too."""
    if machine.state_of(Copies).matter:
        for value in arguments.all_values():
            _check_alive(machine, leaves_of(machine, value, frame, node)[0], frame, node)


def _check_read(
    machine: Machine, function: External, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Reports the use of deleted arrays by a function of a library that reads what it gets."""
    if not machine.state_of(Copies).matter:
        return
    path, values = function.path, arguments.all_values()
    declared = machine.public(path)
    if path in SHOWING_ALL:
        _check_alive(machine, shown(machine, values), frame, node)
    elif reads_leaves(path) if declared is None else declared.waits:
        for value in values:
            _check_alive(machine, leaves_of(machine, value, frame, node)[0], frame, node)


def _free_next_iteration(
    machine: Machine,
    paths: Sequence[Mapping[Key, Value]],
    loop: Loop,
    frame: Frame,
    certain: bool,
) -> IterationsEnd | None:
    """Notes in the second iteration of a loop what each path of the first has donated: what was
    held before, and what is now. `certain`: it is known that there is a second iteration.
    """
    if not machine.state_of(Copies).matter or not paths:
        return None
    start, end = loop.span
    origin = Origin(
        frame.module,
        frame.unit,
        start,
        end,
        "donated in the iteration before",
        "" if certain else "the loop need not have a second iteration",
    )
    found: dict[Key, tuple[Value, Value]] = {}
    for key in paths[0]:
        held = machine.store.get(key)
        ends = [_parts_of(path.get(key)) for path in paths]
        gone = [
            part
            for at, part in _parts_of(held).items()
            if isinstance(part, Array) and all(_is_gone(end.get(at)) for end in ends)
        ]
        if held is not None and gone:
            found[key] = held, _free_in(held, gone, origin)
            machine.write(*key, found[key][1])

    def finish(breaks: bool) -> None:
        # There may have been no iterations, or not all.
        for (owner, name), (before, freed) in found.items():
            if (breaks or not certain) and machine.store.get((owner, name)) is freed:
                machine.write(owner, name, before)

    return finish


def _is_gone(value: Value | None) -> bool:
    return value is not None and bool(FREED.of(value))


def _free_in(
    value: Value,
    arrays: Collection[Value],
    origin: Origin | None = None,
    how: How = "donated",
) -> Value:
    """A value, with those of the arrays that it holds said to be gone. Of a container that holds
    one of them twice it is not known which of the two is meant.
    """
    held = _parts_of(value).values()
    if any(sum(part is array for part in held) > 1 for array in arrays):
        return value

    def free(part: Value) -> Value:
        if isinstance(part, Array) and part.place is Place.DEVICE:
            gone = any(part is array for array in arrays)
            return FREED.put(replace(part, origin=origin or part.origin), how) if gone else part
        return part

    match value:
        case Array():
            return free(value)
        case TupleValue(elements) if elements is not None:
            return replace(value, elements=tuple(map(free, elements)))
        case Items(elements) if elements is not None:
            return Items(tuple(map(free, elements)))
        case Entries(known, rest):
            return Entries(tuple((key, free(part)) for key, part in known), rest)
        case _:
            return value


def _parts_of(value: Value | None) -> Mapping[object, Value]:
    """Returns the values in a container by their places; an array alone is its only one."""
    match value:
        case Array():
            return {0: value}
        case TupleValue(elements) | Items(elements):
            return dict(enumerate(elements or ()))
        case Entries(known):
            return {(type(key), key): part for key, part in known}
        case _:
            return {}


def _delete(
    machine: Machine, method: Method, _arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """`x.delete()` frees the memory of an array that runs outside every trace."""
    array = method.receiver
    if method.name != DELETES or not isinstance(array, Array) or frame.level:
        return
    if isinstance(node, nodes.Call) and isinstance(node.function, nodes.Attribute):
        place = node.function.value
        machine.state_of(Copies).matter = True
        _free_copies(machine, [array], place, frame, "deleted")
        _free(machine, array, place, frame, "deleted")


GUEST = Guest(
    "donation",
    Moments(
        elements_read=(_check_alive,),
        library_call=(_check_read,),
        compiled_result=(_donate,),
        method_call=(_delete,),
        module_applied=(_check_applied,),
        next_iteration=(_free_next_iteration,),
    ),
    after=("aliases",),
)
