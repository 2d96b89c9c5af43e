"""Conversions in fixes: Python numbers and sequences become arrays, and wide dtypes those made."""

from collections.abc import Sequence
from typing import Final

from oakum_lint.fixes.editing.calls import takes
from oakum_lint.fixes.editing.expressions import argument_text, operand_text, receiver_text
from oakum_lint.fixes.editing.logic import Logic
from oakum_lint.fixes.editing.scopes import names_of, own_function
from oakum_lint.fixes.editing.spelling import hidden_names, is_jitted, meaning, spell
from oakum_lint.fixes.editing.values import form_of, is_truth, value_of
from oakum_lint.fixes.functions.static_arguments import make_static
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import walk
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix
from oakum_lint.text.finding import Related

_NUMBER_METHODS: Final = frozenset({"__bool__", "__int__", "__index__", "__float__", "__complex__"})
_DTYPES: Final = {"int": "int32", "float": "float32", "complex": "complex64"}


def static_size(site: Site, related: Sequence[Related]) -> Fix | None:
    """Makes the parameter static whose `int(x)` is an index, or an argument of a function.

    The site is what is converted, and `related` where it comes from.
    """
    match site.way[-3:]:
        case (
            nodes.Call() | nodes.Subscript() | nodes.Display() | nodes.Slice(),
            nodes.Call(function=nodes.Name(identifier="int")),
            nodes.Name(),
        ):
            return make_static(site, related)
        case _:
            return None


def stay_array(site: Site) -> Fix | None:
    """`x.astype(...)` for `float(x)`, `int(x)` and `bool(x)`, and `x` for `x.item()`.

    The site is what is converted.
    """
    call = site.parent
    if any(_must_convert(function) for function in site.functions[:1]) or _is_asked(site):
        return None
    match site.node, call:
        case nodes.Call(function=nodes.Attribute(attribute="item", value=array), arguments=()), _:
            _, end = site.with_parentheses(array)
            return make_fix(
                "Leave it an array", [site.replace_range(end, site.node.end, "")], Safety.UNSAFE
            )
        case _, nodes.Attribute(attribute="item"):
            _, end = site.with_parentheses(site.node)
            edits = [site.replace_range(end, site.way[-3].end, "")]
            return make_fix("Leave it an array", edits, Safety.UNSAFE)
        case _, nodes.Call(function=nodes.Name(identifier=name), arguments=(only,), keywords=()):
            if only is not site.node or name not in (*_DTYPES, "bool"):
                return None
        case _:
            return None
    if is_truth(site, only) and name == "bool":
        text = operand_text(site, only) if _is_inside(site, call) else site.text(only)
        return make_fix("Leave it an array", [site.replace(call, text)], Safety.UNSAFE)
    if name == "float" and _is_operand(site, call):
        text = operand_text(site, only)
        return make_fix("Leave it an array", [site.replace(call, text)], Safety.UNSAFE)
    logic = Logic(site)
    dtype = "bool" if name == "bool" else logic.named(f"{dotted.IN_JNP}{_DTYPES[name]}")
    if form_of(site, only) == "array":
        text = f"{receiver_text(site, only)}.astype({dtype})"
    else:  # it may be a number of Python when the function is called elsewhere
        text = logic.call(dotted.ASARRAY, argument_text(site, only), f"dtype={dtype}")
    if text is None or dtype is None:
        return None
    edits = [site.replace(call, text), *logic.edits]
    # A count may be needed as one: as a size, or as the end of a loop.
    title = "Convert to an array"
    return make_fix(title, edits, Safety.UNSAFE, everywhere=name == "int")


def take_element(site: Site, aval: str) -> Fix | None:
    """`int(x.item())` for `int(x)` of an array with axes and one element, as `aval` says."""
    _, _, sizes = aval.partition("[")
    match site.node:
        case nodes.Call(arguments=(only,), keywords=()) if {*sizes[:-1].split(",")} == {"1"}:
            edit = site.replace(only, f"{receiver_text(site, only)}.item()")
            return make_fix("Take its only element", [edit], Safety.SAFE)
        case _:
            return None


def _must_convert(function: nodes.Node) -> bool:
    """Whether Python takes nothing but a number from a function: `__float__` and its kin."""
    return isinstance(function, nodes.FunctionDefinition) and function.name in _NUMBER_METHODS


def _is_asked(site: Site) -> bool:
    """Whether it is the truth of an element, for which `all` or `any` asks all the same."""
    match site.way[-4:]:
        case (
            nodes.Call(function=nodes.Name(identifier="all" | "any")),
            nodes.Comprehension(),
            nodes.Call(function=nodes.Name(identifier="bool")),
            _,
        ):
            return True
        case _:
            return False


def _is_operand(site: Site, call: nodes.Node) -> bool:
    """Whether a call stands in an operation, which makes the number one of floats anyway."""
    around = site.way[site.way.index(call) - 1]
    return isinstance(around, nodes.BinaryOperation | nodes.Comparison)


def _is_inside(site: Site, call: nodes.Node) -> bool:
    """Whether what takes the place of a call stands beside operators, or before a dot."""
    match site.way[site.way.index(call) - 1]:
        case nodes.BinaryOperation() | nodes.BooleanOperation() | nodes.Comparison():
            return True
        case nodes.UnaryOperation() | nodes.Attribute():
            return True
        case nodes.Subscript(value=value) | nodes.Call(function=value):
            return value is call
        case _:
            return False


def called_around(site: Site) -> str:
    """The canonical path of the function that the site is an argument of; "" if it is not sure."""
    call = site.parent
    return meaning(site, call.function) if isinstance(call, nodes.Call) else ""


def call_around(site: Site, path: str, safety: Safety) -> Fix | None:
    """Calls another function with what the site is an argument of (`jnp.sqrt` for `math.sqrt`)."""
    call = site.parent
    spelling = spell(site, path)
    if spelling is None or not isinstance(call, nodes.Call) or call.keywords:
        return None
    if not takes(path, call):
        return None
    edits = [site.replace(call.function, spelling.text), *spelling.edits]
    return make_fix(f"Call `{spelling.text}`", edits, safety)


def convert(site: Site, node: nodes.Node, path: str, safety: Safety) -> Fix | None:
    """Puts a sequence or a NumPy array into an array of JAX."""
    spelling = spell(site, path)
    if spelling is None or not isinstance(node, nodes.Expression):
        return None
    edits = [site.replace(node, f"{spelling.text}({argument_text(site, node)})"), *spelling.edits]
    return make_fix(f"Convert with `{spelling.text}`", edits, safety)


def convert_operand(site: Site, source: str, *, is_tuple: bool) -> Fix | None:
    """Puts the operand of some text into an array of JAX: a list or tuple that is written there, or
    in the one value of a variable, but a list that gets texts. Elsewhere a tuple may be several
    results or a state of which one part was meant, and what indexes an array a slice.
    """
    operand = operand_of(site, source)
    if operand is None:
        return None
    value = _value_of(site, operand)
    is_written = isinstance(value, nodes.Display | nodes.Comprehension)
    if not is_written and (is_tuple or isinstance(site.node, nodes.Subscript)):
        return None
    if isinstance(operand, nodes.Name) and _gets_texts(site, operand.identifier):
        return None
    return convert(site, operand, dotted.ARRAY, Safety.SAFE if is_written else Safety.UNSAFE)


def _value_of(site: Site, operand: nodes.Expression) -> nodes.Expression | None:
    """What an operand is, or what the one assignment to it gives, or its default."""
    if not isinstance(operand, nodes.Name):
        return operand
    function = own_function(site)
    if function is not None and operand.identifier in names_of(function).bound:
        return value_of(site, operand)
    if function is not None:
        for parameter in function.parameters.items:
            if parameter.name == operand.identifier:
                return parameter.default
    if operand.identifier in hidden_names(site):
        return None
    made = [
        statement
        for unit in site.module.units
        if unit.binds is not None and operand.identifier in unit.binds
        for statement in unit.body
    ]
    match made:
        case [nodes.Assignment(targets=(nodes.Name(),), value=value)]:
            return value
        case _:
            return None


def _gets_texts(site: Site, name: str) -> bool:
    """Whether the function of the site, or its statement outside of functions, appends texts to a
    list: no array holds these.
    """
    function = own_function(site)
    for node in walk(*(site.unit.body if function is None else function.body)):
        match node:
            case nodes.Call(
                function=nodes.Attribute(value=nodes.Name(identifier=owner), attribute="append"),
                arguments=(item,),
            ) if owner == name:
                match item:
                    case nodes.FormattedString() | nodes.Constant(value=str()):
                        return True
                    case nodes.Call(function=nodes.Name(identifier="str")):
                        return True
                    case _:
                        pass
            case _:
                pass
    return False


def operand_of(site: Site, source: str) -> nodes.Expression | None:
    """The part of the flagged expression that has this text on one line, if only one has."""
    match site.node:
        case nodes.Call():
            parts = [*site.node.arguments, *(keyword.value for keyword in site.node.keywords)]
        case nodes.BinaryOperation(left=left, right=right):
            parts = [left, right]
        case nodes.Subscript(index=index):
            parts = [index]
        case _:
            return None
    found = [part for part in parts if " ".join(site.text(part).split()) == source]
    return found[0] if len(found) == 1 else None


def convert_container(site: Site, path: str) -> Fix | None:
    """Converts what is indexed at the site; a list of functions becomes a `switch`.

    Safe where it is an array already, or a list of numbers by its form.
    """
    subscript = site.parent
    if not isinstance(subscript, nodes.Subscript) or subscript.index is not site.node:
        return None
    outer = site.way[-3] if len(site.way) > 2 else None
    if isinstance(outer, nodes.Call) and outer.function is subscript:
        return _switch(site, outer, subscript)
    is_array = path == dotted.ASARRAY
    if is_truth(site, subscript.index) and not is_array:
        return None  # True is 1 for a sequence, and a mask for an array
    held = _elements_of(site, subscript.value)
    if any(_is_function(site, element) for element in held):
        return None
    is_certain = is_array or (bool(held) and all(map(_is_number, held)))
    return convert(site, subscript.value, path, Safety.SAFE if is_certain else Safety.UNSAFE)


def _switch(site: Site, call: nodes.Call, subscript: nodes.Subscript) -> Fix | None:
    if not isinstance(subscript.value, nodes.Name):
        return None  # layers with arrays in them, and not functions alone
    logic = Logic(site)
    if call.keywords or any(isinstance(argument, nodes.Starred) for argument in call.arguments):
        return None
    arguments = [argument_text(site, argument) for argument in call.arguments]
    functions = argument_text(site, subscript.value)
    text = logic.call(dotted.SWITCH, argument_text(site, subscript.index), functions, *arguments)
    if text is None:
        return None
    edits = [site.replace(call, text), *logic.edits]
    return make_fix("Choose with `jax.lax.switch`", edits, Safety.UNSAFE)


def _elements_of(site: Site, container: nodes.Expression) -> tuple[nodes.Expression, ...]:
    """The elements of a sequence that is written here, or where its name is bound."""
    value = _value_of(site, container)
    return value.elements if isinstance(value, nodes.Display) else ()


def _is_number(element: nodes.Expression) -> bool:
    return isinstance(element, nodes.Constant) and isinstance(element.value, int | float | complex)


def _is_function(site: Site, element: nodes.Expression) -> bool:
    """Whether an element is a function: a lambda, one of a library, or one of the module."""
    if isinstance(element, nodes.Lambda) or meaning(site, element):
        return True
    return isinstance(element, nodes.Name) and any(
        unit.kind == "definition" and unit.binds == frozenset({element.identifier})
        for unit in site.module.units
    )


def float_argument(site: Site, source: str, found: str) -> Fix | None:
    """Passes a float, or an array of floats, for the argument that is an integer."""
    node = operand_of(site, source)
    match node:
        case nodes.Constant(value=int(number)) if not isinstance(number, bool):
            return make_fix("Give a float", [site.replace(node, f"{number}.0")], Safety.SAFE)
        case nodes.UnaryOperation(operator="-", operand=nodes.Constant(value=int(number))):
            return make_fix("Give a float", [site.replace(node, f"-{number}.0")], Safety.SAFE)
        case nodes.Call() | nodes.Name() if _holds_integers(site, node, found):
            logic = Logic(site)
            dtype = logic.named(dotted.FLOAT32)
            edits = [site.replace(node, f"{site.text(node)}.astype({dtype})"), *logic.edits]
            return make_fix("Give floats", edits, Safety.UNSAFE) if dtype else None
        case _:
            return None


def _holds_integers(site: Site, node: nodes.Expression, found: str) -> bool:
    """Whether an argument is an array of integers, and no number of Python."""
    is_array = form_of(site, node) == "array" if isinstance(node, nodes.Call) else "[]" not in found
    return is_array and found.startswith(("i", "u"))


def narrow_dtype(site: Site, requested: str, narrow: str) -> Fix | None:
    """Asks for the dtype that is made anyway, in the spelling of the one that was asked for."""
    call = site.node
    if not isinstance(call, nodes.Call):
        return None
    edits: list[Edit] = []
    for part in (call.function, *call.arguments, *(k.value for k in call.keywords)):
        match part:
            case nodes.Constant(value=str(name)) if name == requested:
                edits.append(site.replace(part, site.text(part).replace(requested, narrow)))
            case nodes.Attribute(attribute=name) if name == requested and meaning(site, part):
                edits.append(site.replace_range(part.name_start, part.end, narrow))
            case _:
                pass
    if len(edits) != 1:
        return None
    safety = Safety.SAFE if _is_of_jax(site, call.function) else Safety.UNSAFE
    return make_fix(f"Ask for {narrow}", edits, safety)


def _is_of_jax(site: Site, function: nodes.Expression) -> bool:
    """Whether a function is one of JAX for each caller, or a method of an array of JAX: the one of
    an array of NumPy, which another caller may pass, makes 64 bits.
    """
    around = own_function(site)
    if meaning(site, function) or around is None or is_jitted(site, around):
        return True
    while isinstance(function, nodes.Attribute):
        value = function.value
        made = value_of(site, value) if isinstance(value, nodes.Name) else value
        if not isinstance(made, nodes.Call):
            return False
        function = made.function
        if meaning(site, function).startswith(dotted.IN_JAX):
            return True
    return False
