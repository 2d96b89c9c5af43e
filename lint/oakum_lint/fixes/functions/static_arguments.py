"""Static arguments in fixes: a parameter that Python needs is named in `static_argnames`."""

from collections.abc import Iterator, Sequence

from oakum_lint.fixes.editing.calls import added_argument
from oakum_lint.fixes.editing.spelling import meaning, spell
from oakum_lint.fixes.editing.values import value_of
from oakum_lint.fixes.site import Site, find_definition, find_site
from oakum_lint.fixes.tree import bound_by, children, walk, way_to
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix
from oakum_lint.text.finding import Related

_JIT = dotted.JIT
_PARTIAL = dotted.PARTIAL
_OPTION = "static_argnames"
_NUMBERS = "static_argnums"


def make_static(site: Site, related: Sequence[Related]) -> Fix | None:
    """Names the parameter that the flagged value comes from as static where its function is jitted.

    `related` is the provenance of the value. None where the value is computed of the parameter by
    more than arithmetic, or the parameter is not one of the very function that is jitted.
    """
    if any(map(_has_no_hash, walk(site.node))) or _is_computed(site):
        return None
    places = [find_site(site.module, entry.location) for entry in related]
    parameter = next(
        (place for place in reversed(places) if place and isinstance(place.node, nodes.Parameter)),
        None,
    )
    jitted = places[0] if places else None
    if parameter is None or jitted is None or not parameter.functions:
        return None
    assert isinstance(parameter.node, nodes.Parameter)
    if parameter.node.kind not in ("positional", "keyword_only"):
        return None
    if _is_part_of_another(site.node, parameter.node.name):
        return None
    function = parameter.functions[0]
    names = _needed(site, function, parameter.node.name)
    return named_static(jitted, function, names)


def _has_no_hash(node: nodes.Node) -> bool:
    """Whether a part of a value may be an array: what a call returns, or a name that is indexed."""
    match node:
        case nodes.Call() | nodes.Subscript(value=nodes.Name()):
            return True
        case _:
            return False


def _is_part_of_another(node: nodes.Node, name: str) -> bool:
    """Whether a value is an attribute of what was made of a parameter: of a tree, which holds
    arrays too, and has no hash.
    """
    match node:
        case nodes.Attribute(value=nodes.Name(identifier=owner)):
            return owner != name
        case _:
            return False


def static_at_call(site: Site, parameter: str) -> Fix | None:
    """Names a parameter as static where the function is jitted that the flagged call calls, or
    above the function that has the flagged parameter.
    """
    if isinstance(site.node, nodes.Parameter):
        return static_parameter(site)
    call = site.node
    if not isinstance(call, nodes.Call) or not isinstance(call.function, nodes.Name):
        return None
    for jitted, function in _jitted_as(site, call.function.identifier):
        if parameter in (item.name for item in function.parameters.items):
            return named_static(jitted, function, (parameter,))
    return None


def static_flag(site: Site, related: Sequence[Related]) -> Fix | None:
    """Names a flag as static that a branch tests by itself: what has True or False as its default
    chooses between programs.
    """
    if not isinstance(site.node, nodes.Name):
        return None
    for entry in related:
        place = find_site(site.module, entry.location)
        match place:
            case Site(way=(*_, nodes.Parameter(name=name, default=nodes.Constant(value=bool())))):
                return static_parameter(place) if name == site.node.identifier else None
            case _:
                pass
    return None


def static_parameter(parameter: Site) -> Fix | None:
    """Names a parameter as static above its function, which chooses between programs by it."""
    node, functions = parameter.node, parameter.functions
    if not isinstance(node, nodes.Parameter) or not functions:
        return None
    function = functions[0]
    if not isinstance(function, nodes.FunctionDefinition):
        return None
    for decorator in function.decorators:
        unit = parameter.unit
        jitted = Site(parameter.module, unit, way_to(unit.body, decorator.start, decorator.end))
        if (fix := named_static(jitted, function, (node.name,))) is not None:
            return fix
    return None


def _jitted_as(
    site: Site, name: str
) -> Iterator[tuple[Site, nodes.FunctionDefinition | nodes.Lambda]]:
    """Where functions are jitted that have a name at the site, and these: those of the functions
    around it, or else those at the top of the module.
    """
    for around in site.functions:
        if name in bound_by(*children(around)):
            for node in walk(*children(around), into=False):
                yield from _jitted_by(site.module, site.unit, node, name)
            return
    for unit in site.module.units:
        if name in unit.text:
            for node in unit.body:
                yield from _jitted_by(site.module, unit, node, name)


def _jitted_by(
    module: ModuleFacts, unit: UnitFacts, node: nodes.Node, name: str
) -> Iterator[tuple[Site, nodes.FunctionDefinition | nodes.Lambda]]:
    """Where a statement jits a function and binds it to a name."""
    match node:
        case nodes.FunctionDefinition(decorators=decorators) if node.name == name:
            for each in decorators:
                yield Site(module, unit, way_to(unit.body, each.start, each.end)), node
        case nodes.Assignment(
            targets=(nodes.Name(identifier=bound),),
            value=nodes.Call(arguments=(passed, *_)) as made,
        ) if bound == name:
            found: nodes.Node = passed
            if isinstance(passed, nodes.Name):
                place = find_definition(module, passed.identifier)
                found = place.node if place is not None else passed
            if isinstance(found, nodes.FunctionDefinition | nodes.Lambda):
                yield Site(module, unit, way_to(unit.body, made.start, made.end)), found
        case _:
            pass


def named_static(
    jitted: Site, function: nodes.FunctionDefinition | nodes.Lambda, names: Sequence[str]
) -> Fix | None:
    """Names parameters of a function as static at the place where it is jitted."""
    edits = _edits(jitted, function, names)
    if not edits:
        return None
    listed = " and ".join(f"`{name}`" for name in names)
    return make_fix(f"Make {listed} static", edits, Safety.UNSAFE, everywhere=True)


def _needed(
    site: Site, function: nodes.FunctionDefinition | nodes.Lambda, name: str
) -> tuple[str, ...]:
    """The parameters that have to be static so that the site is: of a shape `(n, m)` both."""
    parts = site.node.elements if isinstance(site.node, nodes.Display) else ()
    passed = {part.identifier for part in parts if isinstance(part, nodes.Name)} | {name}
    return tuple(each.name for each in function.parameters.items if each.name in passed)


def _is_computed(site: Site) -> bool:
    """Whether a name at the site is bound to the result of a function."""
    names = [node for node in walk(site.node) if isinstance(node, nodes.Name)]
    values = [value_of(site, name) for name in names]
    return any(
        isinstance(node, nodes.Call)
        for value in values
        if value is not None
        for node in walk(value)
    )


def _edits(
    jitted: Site, function: nodes.FunctionDefinition | nodes.Lambda, names: Sequence[str]
) -> list[Edit] | None:
    """The edits where a function is jitted, if it is this one."""
    node = jitted.node
    if isinstance(function, nodes.FunctionDefinition) and node in function.decorators:
        return at_decorator(jitted, function, node, names)
    if not isinstance(node, nodes.Call) or meaning(jitted, node.function) != _JIT:
        return None
    match node.arguments[:1]:
        case (nodes.Name(identifier=passed),) | (nodes.Attribute(attribute=passed),):
            is_same = isinstance(function, nodes.FunctionDefinition) and function.name == passed
        case (passed,):
            is_same = passed is function
        case _:
            return None
    return _in_call(jitted, function, node, names) if is_same else None


def at_decorator(
    site: Site, function: nodes.FunctionDefinition, node: nodes.Node, names: Sequence[str]
) -> list[Edit] | None:
    """The edits after which a decorator that jits a function names parameters as static."""
    if isinstance(node, nodes.Call):
        path = meaning(site, node.function)
        first = node.arguments[0] if node.arguments else node
        is_jit = path == _JIT or (path == _PARTIAL and meaning(site, first) == _JIT)
        return _in_call(site, function, node, names) if is_jit else None
    if meaning(site, node) != _JIT:
        return None
    partial = spell(site, _PARTIAL)
    if partial is None:
        return None
    text = f"{partial.text}({site.text(node)}, {_OPTION}={_tuple_of(names)})"
    return [site.replace(node, text), *partial.edits]


def _tuple_of(names: Sequence[str]) -> str:
    listed = ", ".join(f'"{name}"' for name in names)
    return f"({listed},)" if len(names) == 1 else f"({listed})"


def _in_call(
    site: Site,
    function: nodes.FunctionDefinition | nodes.Lambda,
    call: nodes.Call,
    names: Sequence[str],
) -> list[Edit] | None:
    """Adds parameters to the static ones that a call of jit has, by their names or positions."""
    options = {keyword.name: keyword.value for keyword in call.keywords}
    if None in options or len(options.keys() & {_OPTION, _NUMBERS}) > 1:
        return None
    if _NUMBERS in options:
        positions = {
            parameter.name: position
            for position, parameter in enumerate(function.parameters.items)
            if parameter.kind == "positional"
        }
        is_bound = meaning(site, call.function) == _JIT and any(
            isinstance(passed, nodes.Attribute) for passed in call.arguments[:1]
        )
        if is_bound or not positions.keys() >= set(names):
            return None
        return _listed(site, options[_NUMBERS], [str(positions[name]) for name in names])
    if _OPTION in options:
        return _listed(site, options[_OPTION], [f'"{name}"' for name in names])
    added = added_argument(site, call, f"{_OPTION}={_tuple_of(names)}")
    return None if added is None else [added]


def _listed(site: Site, option: nodes.Expression, texts: Sequence[str]) -> list[Edit] | None:
    """Adds constants to those of an option, which is one constant or a listing."""
    match option:
        case nodes.Constant():
            listed = [site.text(option), *texts]
            return [site.replace(option, f"({', '.join(dict.fromkeys(listed))})")]
        case nodes.Display(elements=(*_, nodes.Constant() as last) as elements):
            there = [repr(e.value) for e in elements if isinstance(e, nodes.Constant)]
            added = [text for text in texts if text.replace('"', "'") not in there]
            behind = site.unit.text[last.end : option.end]
            end = last.end + 1 if behind == ",)" else last.end
            return [site.replace_range(last.end, end, "".join(f", {text}" for text in added))]
        case _:
            return None


def rename_static(site: Site, wrong: str, right: str) -> Fix | None:
    """Names the parameter that was meant among the static arguments."""
    call = site.node
    if not isinstance(call, nodes.Call):
        return None
    for keyword in call.keywords:
        if keyword.name != _OPTION:
            continue
        listed = keyword.value
        named = listed.elements if isinstance(listed, nodes.Display) else (listed,)
        for item in named:
            if isinstance(item, nodes.Constant) and item.value == wrong:
                text = site.text(item)
                edits = [site.replace(item, text.replace(wrong, right))]
                return make_fix(f"Name `{right}`", edits, Safety.UNSAFE)
    return None


def drop_static(site: Site, wrong: str) -> Fix | None:
    """Takes a name that no parameter has from the static arguments, and these where it is alone."""
    call = site.node
    if not isinstance(call, nodes.Call):
        return None
    named = [keyword for keyword in call.keywords if keyword.name == _OPTION]
    if len(named) != 1:
        return None
    listed = named[0].value
    items = listed.elements if isinstance(listed, nodes.Display) else (listed,)
    left = [n for n in items if not (isinstance(n, nodes.Constant) and n.value == wrong)]
    if len(left) == len(items):
        return None
    if left:
        edit = site.replace(listed, _written(site, listed, left))
    elif len(call.arguments) == len(call.keywords) == 1 and (
        meaning(site, call.function) == _PARTIAL
    ):
        edit = site.replace(call, site.text(call.arguments[0]))
    else:
        before = [*call.arguments, *(k for k in call.keywords if k.end <= named[0].start)]
        if not before:
            return None
        edit = site.replace_range(before[-1].end, named[0].end, "")
    return make_fix(f"Do not name `{wrong}`", [edit], Safety.UNSAFE)


def _written(site: Site, listed: nodes.Expression, items: Sequence[nodes.Expression]) -> str:
    """Some items of a list or tuple, written as these are all."""
    text = ", ".join(map(site.text, items))
    if isinstance(listed, nodes.Display) and listed.kind == "list":
        return f"[{text}]"
    return f"({text},)" if len(items) == 1 else f"({text})"
