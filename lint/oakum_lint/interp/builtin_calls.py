"""Calls of Python's builtins and standard library.

Uses that fail on a tracer come from the measured model (`models.builtins`); here is what the calls
give, for those of which the interpreter knows more than the kind of the result.
"""

from collections.abc import Callable
from dataclasses import replace

from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.arguments import Arguments
from oakum_lint.interp.assignments import set_attribute
from oakum_lint.interp.attributes import get_attribute
from oakum_lint.interp.conditions import decide, instance_of, type_paths
from oakum_lint.interp.containers import (
    content_of,
    entries_of,
    iterate,
    length,
    make_dict,
    make_list,
    merged,
)
from oakum_lint.interp.expressions import check_format, text_of
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.leaks import check_advance
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.methods import replace_fields
from oakum_lint.interp.operators import binary, call_special, negate
from oakum_lint.interp.public_calls import spelling
from oakum_lint.interp.store import CONTENT
from oakum_lint.interp.uses import check_arguments
from oakum_lint.interp.values import (
    BOOL,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Array,
    BoundMethod,
    Choice,
    ClassValue,
    Constant,
    Entries,
    External,
    FieldValue,
    FunctionValue,
    HeapObject,
    Items,
    Partial,
    Place,
    Scalar,
    Scope,
    Tree,
    TupleValue,
    Value,
    Wrapper,
    is_tracer,
    join_all,
    scalar_kind,
)
from oakum_lint.models.builtins import builtin_facts

Builtin = Callable[[Machine, Arguments, Frame, nodes.Node], Value]
MAX_RANGE = 16


def is_builtin(path: str) -> bool:
    """Whether a name is Python's own, as far as it is modelled."""
    return path.startswith("builtins.") or path in BUILTINS or builtin_facts(path) is not None


def call_builtin(
    machine: Machine, path: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a builtin or a function of the standard library."""
    name = path.removeprefix("builtins.")
    if name in ("print", "pprint.pprint") or name.startswith("logging."):
        return _print(machine, arguments, frame, node, name)
    facts = builtin_facts(name)
    spelled = name if path.startswith("builtins.") else spelling(node, path, frame)
    if facts is not None and check_arguments(machine, facts, arguments, frame, node, spelled):
        return UNKNOWN
    handler = BUILTINS.get(path)
    if handler is not None:
        return handler(machine, arguments, frame, node)
    if facts is None:
        return UNKNOWN
    return _by_kind(machine, facts.result, facts.calls, arguments, frame, node)


def _by_kind(
    machine: Machine,
    result: str,
    calls: tuple[str, ...],
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """The result of a function of which only the kind is known."""
    first = arguments.get(0)
    match result:
        case "none":
            return NONE
        case "argument":
            return UNKNOWN if first is None else first
        case "element" if first is not None:
            return iterate(machine, first, frame, node).element()
        case "iterator":
            if calls:
                return make_list(machine, None, UNKNOWN, frame, "iterator")
            items = Items(None) if first is None else iterate(machine, first, frame, node)
            return make_list(machine, None, items.element(), frame, "iterator")
        case "list" | "tuple" | "set" | "sequence" if first is not None and not calls:
            return TupleValue(None, iterate(machine, first, frame, node).element())
        case _:
            return UNKNOWN


def _print(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node, name: str
) -> Value:
    """Printing under tracing shows tracers, once."""
    if not frame.staged_level:
        return NONE
    for position, value in enumerate(arguments.positional):
        traced_text = isinstance(value, Scalar) and value.traced
        if traced_text or (isinstance(value, Array) and value.place is Place.ABSTRACT):
            place = arguments.place(position, "", node)
            machine.emit(events.SideEffect, frame, node, value, place, function=name)
            break
    return NONE


# --- types and attributes ----------------------------------------------------------------------


def _isinstance(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value, types = arguments.get(0), arguments.get(1)
    if value is None or types is None:
        return BOOL
    options = value.options if isinstance(value, Choice) else (value,)
    results = {instance_of(machine, option, type_paths(types)) for option in options}
    result = results.pop() if len(results) == 1 else None
    return BOOL if result is None else Constant(result)


def _hasattr(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value, name = arguments.get(0), arguments.get(1)
    if isinstance(value, HeapObject) and value.kind == "instance" and isinstance(name, Constant):
        if machine.read(value, str(name.value)) is not None:
            return Constant(True)
    return BOOL


def _getattr(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value, name = arguments.get(0), arguments.get(1)
    if value is None or not isinstance(name, Constant) or not isinstance(name.value, str):
        return UNKNOWN
    found = get_attribute(machine, value, name.value, frame, node)
    default = arguments.get(2)
    return UNKNOWN if default is not None and found == UNKNOWN else found


def _setattr(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    owner, name, value = arguments.get(0), arguments.get(1), arguments.get(2)
    if owner is not None and value is not None and isinstance(name, Constant):
        set_attribute(machine, owner, str(name.value), value, frame, node)
    return NONE


def _callable(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    match arguments.get(0):
        case FunctionValue() | BoundMethod() | Partial() | ClassValue():
            return Constant(True)
        case Array() | Constant() | TupleValue() | Scalar():
            return Constant(False)
        case _:
            return BOOL


def _type(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0)
    if isinstance(value, HeapObject) and value.cls is not None:
        return value.cls
    kind = None if value is None else scalar_kind(value)
    return External(f"builtins.{kind}") if kind else UNKNOWN


# --- numbers -----------------------------------------------------------------------------------


def _number(kind: str) -> Builtin:
    types = {"int": int, "float": float, "bool": bool, "complex": complex}

    def convert(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
        value = arguments.get(0)
        if isinstance(value, HeapObject) and value.kind == "instance":
            found = call_special(machine, value, f"__{kind}__", (), node, frame)
            return Scalar(kind) if found is None else found  # pyright: ignore[reportArgumentType]
        if isinstance(value, Constant) and isinstance(value.value, bool | int | float):
            try:
                return Constant(types[kind](value.value))
            except (ValueError, OverflowError):
                return UNKNOWN
        if kind == "bool" and value is not None:
            truth = decide(machine, value)
            return BOOL if truth is None else Constant(truth)
        return Scalar(kind)  # pyright: ignore[reportArgumentType]

    return convert


def _abs(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    match arguments.get(0):
        case Constant(int() | float() as number):
            return Constant(abs(number))
        case Array() as array:
            return array
        case Tree() as tree:
            return negate(tree)
        case Scalar() as scalar:
            return scalar
        case _:
            return UNKNOWN


def _round(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    match arguments.get(0):
        case Array() as array:
            return array
        case Constant() | Scalar():
            return INT if len(arguments.positional) == 1 else Scalar("number")
        case _:
            return UNKNOWN


def _pow(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    base, exponent = arguments.get(0), arguments.get(1)
    if base is None or exponent is None:
        return UNKNOWN
    return binary(machine, "**", base, exponent, node, frame)


def _sum(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0) or UNKNOWN
    total = arguments.get(1, "start") or Constant(0)
    items = iterate(machine, value, frame, node)
    elements = items.elements if items.elements is not None else (items.rest,)
    for element in elements[:16]:
        total = binary(machine, "+", total, element, node, frame)
    return total


def _extremum(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    values = arguments.positional
    if len(values) == 1:
        items = iterate(machine, values[0], frame, node)
        values = items.elements if items.elements is not None else (items.rest,)
        if (
            items.elements is None
            and isinstance(items.rest, Array)
            and items.rest.place is Place.ABSTRACT
        ):
            machine.emit(
                events.BooleanUse,
                frame,
                node,
                items.rest,
                arguments.place(0, "", node),
                construct=_name(node, frame),
            )
            return UNKNOWN
    if values and all(isinstance(v, Constant) and isinstance(v.value, int | float) for v in values):
        numbers = [
            v.value for v in values if isinstance(v, Constant) and isinstance(v.value, int | float)
        ]
        return Constant(max(numbers) if _name(node, frame) == "max" else min(numbers))
    return join_all(values)


def _name(node: nodes.Node, frame: Frame) -> str:
    return frame.text(node.function) if isinstance(node, nodes.Call) else ""


def _range(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    bounds = [
        v.value
        for v in arguments.positional
        if isinstance(v, Constant) and isinstance(v.value, int)
    ]
    if bounds and len(bounds) == len(arguments.positional) <= 3 and bounds[2:] != [0]:
        numbers = range(*bounds)
        if len(numbers) <= MAX_RANGE:
            return TupleValue(tuple(Constant(number) for number in numbers))
    return TupleValue(None, INT)


# --- iteration ---------------------------------------------------------------------------------


def _enumerate(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    items = iterate(machine, arguments.get(0) or UNKNOWN, frame, node)
    start = arguments.get(1, "start") or Constant(0)
    if items.elements is not None and isinstance(start, Constant) and isinstance(start.value, int):
        first = start.value
        pairs = tuple(
            TupleValue((Constant(first + i), item)) for i, item in enumerate(items.elements)
        )
        return make_list(machine, pairs, UNKNOWN, frame, "iterator")
    return make_list(machine, None, TupleValue((INT, items.element())), frame, "iterator")


def _zip(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    columns = [iterate(machine, value, frame, node) for value in arguments.positional]
    known = [column.elements for column in columns if column.elements is not None]
    if columns and len(known) == len(columns) and arguments.more is None:
        rows = tuple(TupleValue(row) for row in zip(*known, strict=False))
        return make_list(machine, rows, UNKNOWN, frame, "iterator")
    row = (
        TupleValue(tuple(column.element() for column in columns))
        if arguments.more is None
        else UNKNOWN
    )
    return make_list(machine, None, row, frame, "iterator")


def _map(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    function = arguments.get(0) or UNKNOWN
    columns = [iterate(machine, value, frame, node) for value in arguments.positional[1:]]
    known = [column.elements for column in columns if column.elements is not None]
    if columns and len(known) == len(columns):
        rows = list(zip(*known, strict=False))[:MAX_RANGE]
        results = tuple(machine.call(function, Arguments(row), frame, node) for row in rows)
        if len(rows) < MAX_RANGE:
            return make_list(machine, results, UNKNOWN, frame, "iterator")
        return make_list(machine, None, join_all(results), frame, "iterator")
    result = machine.call(
        function, Arguments(tuple(column.element() for column in columns)), frame, node
    )
    return make_list(machine, None, result, frame, "iterator")


def _filter(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    function = arguments.get(0) or UNKNOWN
    element = iterate(machine, arguments.get(1) or UNKNOWN, frame, node).element()
    verdict = (
        element if function == NONE else machine.call(function, Arguments((element,)), frame, node)
    )
    if isinstance(verdict, Array) and verdict.place is Place.ABSTRACT:
        machine.emit(
            events.BooleanUse,
            frame,
            node,
            verdict,
            arguments.place(0, "", node),
            construct="filter",
        )
    return make_list(machine, None, element, frame, "iterator")


def _sorted(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    items = iterate(machine, arguments.get(0) or UNKNOWN, frame, node)
    key = arguments.get(-1, "key")
    element = items.element()
    if key is not None and key != NONE:
        verdict = machine.call(key, Arguments((element,)), frame, node)
        if isinstance(verdict, Array) and verdict.place is Place.ABSTRACT:
            machine.emit(
                events.BooleanUse,
                frame,
                node,
                verdict,
                arguments.place(0, "", node),
                construct="sorted",
            )
    elif (
        isinstance(element, Array)
        and element.place is Place.ABSTRACT
        and (items.elements is None or len(items.elements) > 1)
    ):
        machine.emit(
            events.BooleanUse,
            frame,
            node,
            element,
            arguments.place(0, "", node),
            construct="sorted",
        )
        element = UNKNOWN
    return make_list(machine, None, element, frame)


def _any_all(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    items = iterate(machine, arguments.get(0) or UNKNOWN, frame, node)
    for value in items.elements if items.elements is not None else (items.rest,):
        if isinstance(value, Array) and value.place is Place.ABSTRACT:
            machine.emit(
                events.BooleanUse,
                frame,
                node,
                value,
                arguments.place(0, "", node),
                construct=_name(node, frame),
            )
            return UNKNOWN
    if items.elements is not None:
        truths = [decide(machine, value) for value in items.elements]
        stop = _name(node, frame) == "any"
        if stop in truths:
            return Constant(stop)
        return BOOL if None in truths else Constant(not stop)
    return BOOL


def _collect(kind: str) -> Builtin:
    def collect(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
        value = arguments.get(0)
        items = Items(()) if value is None else iterate(machine, value, frame, node)
        if kind == "tuple":
            return TupleValue(items.elements, items.rest)
        return make_list(machine, items.elements, items.rest, frame, kind)  # pyright: ignore[reportArgumentType]

    return collect


def _reversed(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    items = iterate(machine, arguments.get(0) or UNKNOWN, frame, node)
    elements = None if items.elements is None else items.elements[::-1]
    return make_list(machine, elements, items.rest, frame, "iterator")


def _dict(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    entries = Entries(tuple(arguments.keywords.items()), arguments.more_keywords)
    source = arguments.get(0)
    if source is not None:
        if isinstance(source, HeapObject) and source.kind == "dict":
            return make_dict(machine, merged(entries_of(machine, source), entries), frame)
        items = iterate(machine, source, frame, node)
        known: list[tuple[object, Value]] = []
        for pair in items.elements or ():
            parts = pair.elements if isinstance(pair, TupleValue) else None
            if parts is None or len(parts) != 2 or not isinstance(parts[0], Constant):
                return make_dict(machine, Entries((), UNKNOWN), frame)
            known.append((parts[0].value, parts[1]))
        rest = None if items.elements is not None else UNKNOWN
        return make_dict(machine, merged(Entries(tuple(known), rest), entries), frame)
    return make_dict(machine, entries, frame)


def _iter(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0) or UNKNOWN
    if isinstance(value, HeapObject) and value.kind in ("iterator", "generator"):
        return value
    items = iterate(machine, value, frame, node)
    return make_list(machine, items.elements, items.rest, frame, "iterator")


def _next(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0) or UNKNOWN
    if isinstance(value, HeapObject) and value.kind in ("iterator", "generator"):
        check_advance(machine, value, "next", frame, node)
        return content_of(machine, value).element()
    return UNKNOWN


def _counter(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """Infinite iterators: `itertools.count`, `cycle`, `repeat`."""
    return make_list(machine, None, UNKNOWN, frame, "iterator")


# --- functions ---------------------------------------------------------------------------------


def _partial(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    if not arguments.positional or not arguments.complete:
        return UNKNOWN
    function, *rest = arguments.positional
    return Partial(function, tuple(rest), tuple(arguments.keywords.items()))


def _returns(path: str) -> Builtin:
    """A decorator factory whose decorator is recognised by name."""

    def decorator(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
        first = arguments.get(0)
        if (
            isinstance(first, FunctionValue)
            and path.startswith("functools.")
            and path != "functools.wraps"
        ):
            return replace(first, cached=True)
        return External(path)

    return decorator


def _reduce(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    function = arguments.get(0) or UNKNOWN
    items = iterate(machine, arguments.get(1) or UNKNOWN, frame, node)
    elements = items.elements if items.elements is not None else (items.rest, items.rest)
    start = arguments.get(2)
    values = list(elements if start is None else (start, *elements))
    if not values:
        return UNKNOWN
    total = values[0]
    for value in values[1:MAX_RANGE]:
        total = machine.call(function, Arguments((total, value)), frame, node)
    return total


def _property(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    getter = arguments.get(0)
    return UNKNOWN if getter is None else Wrapper("property", getter)


def _format(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value, spec = arguments.get(0), arguments.get(1)
    if value is not None and isinstance(spec, Constant) and spec.value:
        place = arguments.place(0, "", node)
        check_format(machine, value, place, frame, "format()", str(spec.value))
    return STR


def _text(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0)
    if isinstance(value, HeapObject) and value.kind == "instance":
        return text_of(machine, value, node, frame)
    return Scalar("str", any(is_tracer(value) for value in arguments.positional))


def _copy(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0)
    if isinstance(value, HeapObject):
        made = HeapObject(value.kind, frame.level, value.cls)
        content = machine.read(value, CONTENT)
        if content is not None:
            machine.write(made, CONTENT, content)
        if value.kind == "instance":
            for field in (value.cls.fields if value.cls else None) or ():
                old = machine.read(value, field.name)
                if old is not None:
                    machine.write(made, field.name, old)
        return made
    return UNKNOWN if value is None else value


def _defaultdict(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    factory = arguments.get(0)
    rest: Value = UNKNOWN
    if factory == External("builtins.list"):
        rest = make_list(machine, None, UNKNOWN, frame)
    return make_dict(machine, Entries((), rest), frame)


def _replace(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    owner = arguments.get(0)
    if isinstance(owner, HeapObject) and owner.kind == "instance":
        return replace_fields(machine, owner, arguments, frame)
    return owner if isinstance(owner, Tree) else UNKNOWN


def _hash(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    return INT


def _len(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0) or UNKNOWN
    if isinstance(value, HeapObject) and value.kind == "instance":
        found = call_special(machine, value, "__len__", (), node, frame)
        return INT if found is None else found
    return length(machine, value)


def _named_tuple(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`collections.namedtuple("Point", "x y")`."""
    name, given = arguments.get(0, "typename"), arguments.get(1, "field_names")
    names: list[str] = []
    if isinstance(given, Constant) and isinstance(given.value, str):
        names = given.value.replace(",", " ").split()
    elif given is not None:
        for item in iterate(machine, given, frame, node).elements or ():
            part = item.elements[0] if isinstance(item, TupleValue) and item.elements else item
            if isinstance(part, Constant) and isinstance(part.value, str):
                names.append(part.value)
    if not isinstance(name, Constant) or not names:
        return UNKNOWN
    body = Scope("class", frame.scope, frame.level, frame.module)
    cls = ClassValue(str(name.value), None, body, frame.unit, frame.module, (), frame.level)
    cls.conventions = frozenset({"namedtuple"})
    cls.pytree = True
    cls.fields = tuple(FieldValue(field, None, False) for field in names)
    return cls


def _namespace(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`types.SimpleNamespace(**attributes)`."""
    made = HeapObject("instance", frame.level)
    for name, value in arguments.keywords.items():
        machine.write(made, name, value)
    return made


BUILTINS: dict[str, Builtin] = {
    "builtins.object.__setattr__": _setattr,
    "types.SimpleNamespace": _namespace,
    "builtins.isinstance": _isinstance,
    "builtins.hasattr": _hasattr,
    "builtins.getattr": _getattr,
    "builtins.setattr": _setattr,
    "builtins.callable": _callable,
    "builtins.type": _type,
    "builtins.int": _number("int"),
    "builtins.float": _number("float"),
    "builtins.bool": _number("bool"),
    "builtins.complex": _number("complex"),
    "builtins.abs": _abs,
    "builtins.round": _round,
    "builtins.pow": _pow,
    "builtins.sum": _sum,
    "builtins.min": _extremum,
    "builtins.max": _extremum,
    "builtins.range": _range,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.map": _map,
    "builtins.filter": _filter,
    "builtins.sorted": _sorted,
    "builtins.any": _any_all,
    "builtins.all": _any_all,
    "builtins.list": _collect("list"),
    "builtins.tuple": _collect("tuple"),
    "builtins.set": _collect("set"),
    "builtins.frozenset": _collect("set"),
    "builtins.reversed": _reversed,
    "builtins.dict": _dict,
    "builtins.iter": _iter,
    "builtins.next": _next,
    "builtins.len": _len,
    "builtins.property": _property,
    "builtins.format": _format,
    "builtins.str": _text,
    "builtins.repr": _text,
    "builtins.hash": _hash,
    "functools.partial": _partial,
    "functools.partialmethod": _partial,
    "functools.wraps": _returns("functools.wraps"),
    "functools.lru_cache": _returns("functools.lru_cache"),
    "functools.cache": _returns("functools.cache"),
    "functools.reduce": _reduce,
    "jax.tree_util.Partial": _partial,
    "copy.copy": _copy,
    "copy.deepcopy": _copy,
    "dataclasses.replace": _replace,
    "collections.deque": _collect("deque"),
    "collections.OrderedDict": _dict,
    "collections.defaultdict": _defaultdict,
    "collections.namedtuple": _named_tuple,
    "typing.NamedTuple": _named_tuple,
    "itertools.chain": _counter,
    "itertools.count": _counter,
    "itertools.cycle": _counter,
    "itertools.repeat": _counter,
}
