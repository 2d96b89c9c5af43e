"""Static arguments in fixes: a parameter that Python needs is named in `static_argnames`."""

from oakum_lint.edits import Edit, Fix, Safety, make_fix
from oakum_lint.facts import nodes
from oakum_lint.finding import Location
from oakum_lint.fixes.calls import added_argument
from oakum_lint.fixes.scopes import own_function
from oakum_lint.fixes.site import Site, find_site
from oakum_lint.fixes.spelling import meaning, spell

_JIT = "jax.jit"
_PARTIAL = "functools.partial"
_OPTION = "static_argnames"


def make_static(site: Site, name: str, transform: Location) -> Fix | None:
    """Names a parameter as static where the function is jitted, at `transform`.

    None where the name is no parameter of the very function that is jitted there.
    """
    function, jitted = own_function(site), find_site(site.module, transform)
    if function is None or jitted is None:
        return None
    if name not in [p.name for p in function.parameters.items if not p.kind.startswith("var_")]:
        return None
    node = jitted.node
    edits: list[Edit] | None = None
    if node in function.decorators:
        edits = _at_decorator(jitted, node, name)
    elif isinstance(node, nodes.Call) and meaning(jitted, node.function) == _JIT:
        given = node.arguments[0] if node.arguments else None
        if isinstance(given, nodes.Name) and given.identifier == function.name:
            edits = _in_call(jitted, node, name)
    if not edits:
        return None
    return make_fix(f"Make `{name}` static", edits, Safety.UNSAFE)


def _at_decorator(site: Site, node: nodes.Node, name: str) -> list[Edit] | None:
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
        case nodes.Display(elements=(*_, nodes.Constant() as last)):
            return [site.replace_range(last.end, last.end, f', "{name}"')]
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
