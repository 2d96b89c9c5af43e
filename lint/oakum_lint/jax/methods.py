"""Methods of values whose class is Python's or JAX's own: arrays, strings, tuples, traced trees,
modules.
"""

from oakum.abstract.indexing import getitem, update
from oakum.values import avals, dims
from oakum.values.avals import ShapedArray
from oakum_lint.arrays.array_results import array_method, is_whole, new_array, to_abstract
from oakum_lint.arrays.shape_errors import Placed, answer
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Dispatcher, Transformed
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join
from oakum_lint.domain.moments import read_elements
from oakum_lint.domain.values import (
    INT,
    NONE,
    UNKNOWN,
    Array,
    Entries,
    HeapObject,
    Place,
    Scalar,
    Tree,
    TupleValue,
    UpdateRef,
    Value,
)
from oakum_lint.jax.custom_rules import DerivativeRules
from oakum_lint.jax.public_calls import call_public
from oakum_lint.jax.staging import call_staged
from oakum_lint.models.attributes import (
    CONVERSIONS,
    FAILS_CONCRETE,
    HOST_CONVERSIONS,
    NUMPY_ONLY,
    VALUED_UPDATES,
)
from oakum_lint.python.objects.containers import position_in
from oakum_lint.python.objects.single_dispatch import call_dispatcher_method
from oakum_lint.python.stdlib.tolist import list_numbers
from oakum_lint.syntax import nodes


def function_method(
    machine: Machine,
    receiver: Value,
    name: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """A method of what a decorator has made of a function."""
    match receiver:
        case Dispatcher():
            return call_dispatcher_method(machine, receiver, name, arguments, frame)
        case Transformed():
            return _transformed_method(machine, receiver, name, arguments, frame, node)
        case _:
            return UNKNOWN


def receiver_node(node: nodes.Node) -> nodes.Node:
    if isinstance(node, nodes.Call) and isinstance(node.function, nodes.Attribute):
        return node.function.value
    return node


def call_array_method(
    machine: Machine, array: Array, name: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    place = receiver_node(node)
    failing = array.place is Place.ABSTRACT or (
        array.place is Place.CONCRETE and name in FAILS_CONCRETE
    )
    if name in CONVERSIONS or name in HOST_CONVERSIONS or name == "block_until_ready":
        read_elements(machine, (array,), frame, node)
    if name in CONVERSIONS or name in HOST_CONVERSIONS:
        if failing:
            machine.emit(events.ScalarConversion, frame, node, array, place, function=f".{name}()")
            return UNKNOWN
        if name == "tolist":
            return list_numbers(machine, array.aval, frame)
        note_conversion(machine, array, name, arguments, frame, node)
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
    declared = array_method(name)
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


def note_conversion(
    machine: Machine, array: Array, name: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Notes `.item()` of an array of several elements, which are no Python number."""
    if name == "item" and not arguments.positional and dims.less(1, array.aval.size):
        note_stop(machine, frame, node)


def tree_method(
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


def update_method(
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
    read_elements(machine, (array,), frame, node)
    if reference.mask is not None:
        place = receiver_node(node)
        container = frame.text(place)
        if isinstance(place, nodes.Subscript):
            inner = place.value
            container = frame.text(inner.value if isinstance(inner, nodes.Attribute) else inner)
            place = place.index
        machine.emit(
            events.MaskIndex,
            frame,
            node,
            reference.mask,
            place,
            container=container,
            update=name,
            whole=is_whole(array, reference.mask),
        )
        return UNKNOWN
    aval = array.aval if isinstance(array, Array) else None
    place = receiver_node(node)
    if isinstance(place, nodes.Subscript) and "mode" not in arguments.keywords:
        for hears in machine.moments.indexed:
            hears(machine, array, reference.index, name, frame, node, place)
    if isinstance(array, Array):
        aval = _updated_aval(machine, array, reference, name, arguments, frame, node)
    if name == "apply" and arguments.positional:
        element = new_array(None, (array, reference.index), frame, node)
        machine.call(arguments.positional[0], Arguments((element,)), frame, node)
    return new_array(aval, (array, reference.index, *arguments.all_values()), frame, node)


def _updated_aval(
    machine: Machine,
    array: Array,
    reference: UpdateRef,
    name: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> ShapedArray | None:
    """The result of `x.at[index].set(value)` or `x.at[index].get()`."""
    index = to_abstract(reference.index)
    operands: list[Placed] = [(array, None), (reference.index, None)]
    value = arguments.get(0, "values")
    values = avals.UNKNOWN
    if name in VALUED_UPDATES and value is not None:
        values = to_abstract(value)
        operands.append((value, arguments.place(0, "values", node)))

    def rule() -> ShapedArray:
        if name == "get":
            return getitem({"self": array.aval, "key": index})
        return update({"x": array.aval, "index": index, "values": values})

    result = answer(machine, rule, f".at[].{name}", operands, frame, node)
    return result if isinstance(result, ShapedArray) else None


def tuple_method(
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
        one = name == "index" and len(arguments.positional) == 1
        return position_in(owner.elements, arguments.positional[0]) if one else INT
    # `items()`, `keys()` and `values()` of a dict come as tuples: nothing else to call on them.
    return UNKNOWN


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
                    machine.state_of(DerivativeRules).rules[function.site, key] = rule
            return NONE
        case "defjvp":
            rule = arguments.get(0, "jvp")
            if rule is not None:
                machine.state_of(DerivativeRules).rules[function.site, "jvp"] = rule
                return rule
            return UNKNOWN
        case "lower" | "trace" | "eval_shape" if function.transform.facts.kind == "jit":
            return call_staged(machine, function, arguments, frame, node, runs=False)
        case "clear_cache":
            return NONE
        case _:
            return UNKNOWN
