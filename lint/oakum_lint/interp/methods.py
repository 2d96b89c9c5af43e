"""Methods of values whose class is Python's or JAX's own: arrays, strings, tuples, traced trees, modules."""

from string import Formatter

from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.arguments import Arguments
from oakum_lint.interp.attributes import class_attribute
from oakum_lint.interp.containers import call_method as call_container_method
from oakum_lint.interp.expressions import check_format
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.numpy_calls import check_numpy
from oakum_lint.interp.public_calls import call_public
from oakum_lint.interp.results import UNKNOWN_ARRAY, new_array
from oakum_lint.interp.values import (
    INT,
    NONE,
    STR,
    UNKNOWN,
    Array,
    BoundMethod,
    Constant,
    Entries,
    External,
    FunctionValue,
    HeapObject,
    LibraryObject,
    Method,
    Place,
    Scalar,
    Transformed,
    Tree,
    TupleValue,
    UpdateRef,
    Value,
    is_tracer,
    join,
)
from oakum_lint.models.numpy import numpy_facts

CONVERSIONS = frozenset(
    {"item", "tolist", "__int__", "__float__", "__bool__", "__index__", "__complex__"}
)
"""Methods that turn an array into Python numbers."""
HOST_CONVERSIONS = frozenset({"tobytes", "__array__", "to_py", "dump", "dumps", "tofile"})
FAILS_CONCRETE = frozenset({"tolist", "__float__", "__complex__"}) | HOST_CONVERSIONS
NUMPY_ONLY = frozenset({"fill", "partition", "setflags", "itemset", "resize", "put"})


def call_method(
    machine: Machine, method: Method, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a method."""
    receiver = method.receiver
    match receiver:
        case Array(_, Place.HOST):
            return _host_method(machine, receiver, method.name, arguments, frame, node)
        case Array():
            return _array_method(machine, receiver, method.name, arguments, frame, node)
        case Tree():
            return _tree_method(machine, receiver, method.name, arguments, frame, node)
        case UpdateRef():
            return _update_method(machine, receiver, method.name, arguments, frame, node)
        case HeapObject(kind="instance"):
            return _module_method(machine, receiver, method.name, arguments, frame, node)
        case HeapObject():
            return call_container_method(machine, receiver, method.name, arguments, frame, node)
        case Constant(str() as text):
            return _text_method(machine, text, method.name, arguments, frame, node)
        case Scalar("str"):
            return _text_method(machine, "", method.name, arguments, frame, node)
        case TupleValue():
            return _tuple_method(machine, receiver, method.name, arguments, frame, node)
        case LibraryObject(path):
            return machine.call(External(f"{path}.{method.name}"), arguments, frame, node)
        case Transformed():
            return _transformed_method(machine, receiver, method.name, arguments, frame, node)
        case _:
            return UNKNOWN


def _receiver_node(node: nodes.Node) -> nodes.Node:
    if isinstance(node, nodes.Call) and isinstance(node.function, nodes.Attribute):
        return node.function.value
    return node


def _array_method(
    machine: Machine, array: Array, name: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    place = _receiver_node(node)
    failing = array.place is Place.ABSTRACT or (
        array.place is Place.CONCRETE and name in FAILS_CONCRETE
    )
    if name in CONVERSIONS or name in HOST_CONVERSIONS:
        if failing:
            machine.emit(events.ScalarConversion, frame, node, array, place, function=f".{name}()")
            return UNKNOWN
        return Scalar("number") if name == "item" else UNKNOWN
    if name in NUMPY_ONLY:
        machine.emit(
            events.ItemAssignment,
            frame,
            node,
            array,
            place,
            container=frame.text(place),
            index="...",
            operator=f".{name}()",
            target_is_numpy=False,
        )
        return UNKNOWN
    declared = machine.array_method(name)
    if declared is None:
        return UNKNOWN
    bound = arguments.prepended(array)
    if bound.places:
        bound = Arguments(
            bound.positional,
            bound.keywords,
            bound.more,
            bound.more_keywords,
            (place, *arguments.places),
            bound.keyword_places,
        )
    else:
        bound = Arguments(
            bound.positional,
            bound.keywords,
            bound.more,
            bound.more_keywords,
            (place,),
            bound.keyword_places,
        )
    return call_public(machine, f"x.{name}", declared, bound, frame, node)


def _host_method(
    machine: Machine, array: Array, name: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    facts = numpy_facts(f"numpy.ndarray.{name}")
    if facts is not None:
        text = frame.text(_receiver_node(node))
        if check_numpy(machine, facts, arguments, frame, node, f"{text}.{name}"):
            return UNKNOWN
        if facts.result == "none":
            return NONE
        if facts.result in ("array", "scalar"):
            keeps = name in ("copy", "astype", "clip", "round")
            shape = array.aval.shape if keeps else None
            return Array(type(UNKNOWN_ARRAY)(shape, None, False), Place.HOST)
    return UNKNOWN


def _tree_method(
    machine: Machine, tree: Tree, name: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    match name:
        case "items":
            return TupleValue(None, TupleValue((UNKNOWN, tree)))
        case "values" | "copy":
            return TupleValue(None, tree) if name == "values" else tree
        case "get" | "pop":
            default = arguments.get(1)
            return join(tree, default) if default is not None else tree
        case _:
            return UNKNOWN


def _update_method(
    machine: Machine,
    reference: UpdateRef,
    name: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`x.at[index].set(value)` and its kin."""
    array = reference.array
    if not reference.indexed:
        return UNKNOWN
    if reference.mask is not None:
        place = _receiver_node(node)
        container = frame.text(place)
        if isinstance(place, nodes.Subscript):
            inner = place.value
            container = frame.text(inner.value if isinstance(inner, nodes.Attribute) else inner)
            place = place.index
        machine.emit(
            events.MaskIndex, frame, node, reference.mask, place, container=container, update=name
        )
        return UNKNOWN
    aval = array.aval if isinstance(array, Array) else None
    if name == "get":
        aval = None
    if name == "apply" and arguments.positional:
        inner = new_array(None, (array, reference.index), frame, node)
        machine.call(arguments.positional[0], Arguments((inner,)), frame, node)
    return new_array(aval, (array, reference.index, *arguments.all_values()), frame, node)


def _text_method(
    machine: Machine, text: str, name: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    traced = any(is_tracer(value) for value in arguments.all_values())
    if name == "format":
        _check_str_format(machine, text, arguments, frame, node)
        return Scalar("str", traced)
    if name == "join":
        return Scalar("str", traced)
    if name in ("startswith", "endswith", "isdigit", "isalpha", "isidentifier"):
        if text and len(arguments.positional) == 1:
            argument = arguments.positional[0]
            if isinstance(argument, Constant) and isinstance(argument.value, str):
                if name == "startswith":
                    return Constant(text.startswith(argument.value))
                if name == "endswith":
                    return Constant(text.endswith(argument.value))
        return Scalar("bool")
    if name in ("split", "rsplit", "splitlines", "partition", "rpartition"):
        return TupleValue(None, STR)
    if name in ("lower", "upper", "strip") and text and not arguments.positional:
        return Constant(getattr(text, name)())
    if name in ("find", "index", "count", "rfind"):
        return INT
    return STR


def _check_str_format(
    machine: Machine, text: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """`"{:.2f}".format(x)` with a tracer for a field that has a spec."""

    try:
        fields = list(Formatter().parse(text))
    except ValueError:
        return
    position = 0
    for _, field, spec, conversion in fields:
        if field is None:
            continue
        value: Value | None
        if field == "" or field.isdigit():
            index = position if field == "" else int(field)
            position += 1
            value, place = arguments.get(index), arguments.place(index, "", node)
        else:
            value, place = arguments.keywords.get(field), arguments.place(-1, field, node)
        if value is not None and spec and not conversion:
            check_format(machine, value, place, frame, "str.format", spec)


def _tuple_method(
    machine: Machine,
    owner: TupleValue,
    name: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    if owner.cls is not None and owner.elements is not None:
        names = [field.name for field in owner.cls.fields or ()]
        if name == "_replace" and len(names) == len(owner.elements):
            changed = [
                arguments.keywords.get(field, old)
                for field, old in zip(names, owner.elements, strict=True)
            ]
            return TupleValue(tuple(changed), UNKNOWN, owner.cls)
        if name == "_asdict":
            made = HeapObject("dict", frame.level)
            entries = Entries(tuple(zip(names, owner.elements, strict=False)))
            machine.write(made, "*", entries)
            return made
    if name in ("index", "count"):
        for value in (*arguments.positional, *(owner.elements or ())):
            if isinstance(value, Array) and value.place is Place.ABSTRACT:
                machine.emit(events.BooleanUse, frame, node, value, construct=f"tuple.{name}")
                return UNKNOWN
        return INT
    # `items()`, `keys()` and `values()` of a dict come as tuples: nothing else to call on them.
    return UNKNOWN


def _module_method(
    machine: Machine,
    owner: HeapObject,
    name: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`module.apply(variables, ...)` and `module.init(key, ...)` run a method of the module; `replace` copies."""
    if name == "replace":
        return replace_fields(machine, owner, arguments, frame)
    if owner.cls is None or name not in ("apply", "init", "init_with_output"):
        return UNKNOWN
    method = arguments.keywords.get("method")
    target: Value | None = None
    if method is None or method == NONE:
        target = class_attribute(machine, owner.cls, "__call__")
    elif isinstance(method, Constant) and isinstance(method.value, str):
        target = class_attribute(machine, owner.cls, method.value)
    elif isinstance(method, FunctionValue | BoundMethod):
        target = method.function if isinstance(method, BoundMethod) else method
    if not isinstance(target, FunctionValue | Transformed):
        return UNKNOWN
    passed = {
        key: value
        for key, value in arguments.keywords.items()
        if key not in ("method", "rngs", "mutable", "capture_intermediates")
    }
    inner = Arguments(
        arguments.positional[1:],
        passed,
        arguments.more,
        arguments.more_keywords,
        arguments.places[1:],
        arguments.keyword_places,
    )
    result = machine.call(BoundMethod(target, owner), inner, frame, node)
    if name == "init":
        return UNKNOWN
    mutable = arguments.keywords.get("mutable")
    if mutable is None or mutable in (Constant(False), NONE):
        return result
    return TupleValue((result, UNKNOWN)) if isinstance(mutable, Constant | HeapObject) else UNKNOWN


def replace_fields(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame
) -> Value:
    """A copy of an instance with some fields changed."""
    made = HeapObject("instance", frame.level, owner.cls)
    for field in (owner.cls.fields if owner.cls else None) or ():
        old = machine.read(owner, field.name)
        new = arguments.keywords.get(field.name, old)
        if new is not None:
            machine.write(made, field.name, new)
    return made


def _transformed_method(
    machine: Machine,
    function: Transformed,
    name: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`f.defvjp(fwd, bwd)`, `f.defjvp(rule)`: noted with the function; `f.lower(...)` traces it."""
    match name:
        case "defvjp":
            for key, position in (("fwd", 0), ("bwd", 1)):
                rule = arguments.get(position, key)
                if rule is not None:
                    machine.derivative_rules[function.site, key] = rule
            return NONE
        case "defjvp":
            rule = arguments.get(0, "jvp")
            if rule is not None:
                machine.derivative_rules[function.site, "jvp"] = rule
                return rule
            return UNKNOWN
        case "lower" | "trace" | "eval_shape":
            machine.call(function, arguments, frame, node)
            return UNKNOWN
        case _:
            return UNKNOWN
