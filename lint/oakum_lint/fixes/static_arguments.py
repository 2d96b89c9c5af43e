"""Static arguments in fixes: a parameter that Python needs is named in `static_argnames`."""

from collections.abc import Sequence

from oakum_lint.edits import Edit, Fix, Safety, make_fix
from oakum_lint.facts import nodes
from oakum_lint.finding import Related
from oakum_lint.fixes.calls import added_argument
from oakum_lint.fixes.site import Site, find_site
from oakum_lint.fixes.spelling import meaning, spell
from oakum_lint.fixes.tree import walk
from oakum_lint.fixes.values import value_of

_JIT = "jax.jit"
_PARTIAL = "functools.partial"
_OPTION = "static_argnames"


def make_static(site: Site, related: Sequence[Related]) -> Fix | None:
    """Names the parameter that the flagged value comes from as static where its function is jitted.

    `related` is the provenance of the value. None where the value is computed of the parameter by
    more than arithmetic, or the parameter is not one of the very function that is jitted.
    """
    if any(isinstance(node, nodes.Call) for node in walk(site.node)) or _is_computed(site):
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
    name, function = parameter.node.name, parameter.functions[0]
    edits = _edits(jitted, function, name)
    if not edits:
        return None
    return make_fix(f"Make `{name}` static", edits, Safety.UNSAFE, everywhere=True)


def _is_computed(site: Site) -> bool:
    """Whether a name at the site is bound to what a function gives."""
    names = [node for node in walk(site.node) if isinstance(node, nodes.Name)]
    values = [value_of(site, name) for name in names]
    return any(
        isinstance(node, nodes.Call)
        for value in values
        if value is not None
        for node in walk(value)
    )


def _edits(
    jitted: Site, function: nodes.FunctionDefinition | nodes.Lambda, name: str
) -> list[Edit] | None:
    """The edits where a function is jitted, if it is this one."""
    node = jitted.node
    if isinstance(function, nodes.FunctionDefinition) and node in function.decorators:
        return at_decorator(jitted, node, name)
    if not isinstance(node, nodes.Call) or meaning(jitted, node.function) != _JIT:
        return None
    match node.arguments[:1]:
        case (nodes.Name(identifier=given),) | (nodes.Attribute(attribute=given),):
            is_same = isinstance(function, nodes.FunctionDefinition) and function.name == given
        case (given,):
            is_same = given is function
        case _:
            return None
    return _in_call(jitted, node, name) if is_same else None


def at_decorator(site: Site, node: nodes.Node, name: str) -> list[Edit] | None:
    """The edits after which a decorator that jits a function names a parameter as static."""
    if isinstance(node, nodes.Call):
        path = meaning(site, node.function)
        first = node.arguments[0] if node.arguments else node
        is_jit = path == _JIT or (path == _PARTIAL and meaning(site, first) == _JIT)
        return _in_call(site, node, name) if is_jit else None
    if meaning(site, node) != _JIT:
        return None
    partial = spell(site, _PARTIAL)
    if partial is None:
        return None
    text = f'{partial.text}({site.text(node)}, {_OPTION}=("{name}",))'
    return [site.replace(node, text), *partial.edits]


def _in_call(site: Site, call: nodes.Call, name: str) -> list[Edit] | None:
    """Adds a name to those that a call of jit has, if it names its static arguments at all."""
    options = {keyword.name: keyword.value for keyword in call.keywords}
    if "static_argnums" in options or None in options:
        return None
    match options.get(_OPTION):
        case None:
            added = added_argument(site, call, f'{_OPTION}=("{name}",)')
            return None if added is None else [added]
        case nodes.Constant(value=str(other)) as constant:
            return [site.replace(constant, f'("{other}", "{name}")')]
        case nodes.Display(elements=(*_, nodes.Constant() as last)) as listed:
            behind = site.unit.text[last.end : listed.end]
            end = last.end + 1 if behind == ",)" else last.end
            return [site.replace_range(last.end, end, f', "{name}"')]
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
