"""Values that leak in fixes: the function returns them, and its callers store them.

A fix is made where all of this stands in one file: the function is jitted where it is defined, it
returns once, at its end, and it is only called in statements of their own. Whoever calls it from
another file gets two results where there was one: that is why it is unsafe.
"""

from collections.abc import Sequence

from oakum.values.records import dataclass
from oakum_lint.fixes.editing.expressions import argument_text
from oakum_lint.fixes.editing.scopes import free_name, names_of
from oakum_lint.fixes.editing.spelling import names_jit
from oakum_lint.fixes.kept import keep
from oakum_lint.fixes.site import Site, find_site
from oakum_lint.fixes.tree import names_in, walk
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix
from oakum_lint.text.finding import Related


@dataclass(frozen=True, slots=True)
class _Store:
    """A value stored in the list `target`, or in the global variable of that name."""

    statement: nodes.Statement
    target: str
    value: nodes.Expression
    declaration: nodes.ScopeDeclaration | None


def return_instead(site: Site, related: Sequence[Related]) -> Fix | None:
    """Returns the leaked value beside the result, and stores it where the function is called."""
    function = next((n for n in site.way if isinstance(n, nodes.FunctionDefinition)), None)
    if function is None or site.way[0] is not function or function.is_generator:
        return None
    if len(site.functions) != 1 or not _is_jitted_here(site, function, related):
        return None
    store, result = _store(site, function), _only_result(function)
    if store is None or result is None or not _may_wait(function, store):
        return None
    calls = calls_of(site.module, function.name)
    name = _name_at_calls(site, store, calls)
    edits = [_stored_by(call, store, name) for call in calls] if name else []
    if not edits or None in edits:
        return None
    if store.declaration is None:
        value = argument_text(site, store.value)
        edits.append(site.removal(store.statement))
    else:  # without its declaration the name is one of the function itself
        value = store.target
        edits.append(site.removal(store.declaration))
    edits.append(site.replace(result, f"{argument_text(site, result)}, {value}"))
    made = [edit for edit in edits if edit is not None]
    title = f"Return `{' '.join(value.split())}`, and store it where the function is called"
    return make_fix(title, made, Safety.UNSAFE, everywhere=True)


def _name_at_calls(site: Site, store: _Store, calls: Sequence[Site]) -> str:
    """Returns the name of the value where it is stored, or ""."""
    if store.declaration is not None:
        return store.target
    if isinstance(store.value, nodes.Name):
        name = store.value.identifier
        if all(name not in _names_around(call) for call in calls):
            return name
    return free_name(site, "recorded", "recorded_value") or ""


def _is_jitted_here(
    site: Site, function: nodes.FunctionDefinition, related: Sequence[Related]
) -> bool:
    """Whether the trace is that of the function's own decorator, `jax.jit`."""
    transform = find_site(site.module, related[0].location) if related else None
    if transform is None or transform.node not in function.decorators:
        return False
    return names_jit(transform)


def _store(site: Site, function: nodes.FunctionDefinition) -> _Store | None:
    """The statement of the site, if it stands in the body of the function itself."""
    statement = site.statement
    if statement not in function.body or not site.is_alone(statement):
        return None
    match statement:
        case nodes.ExpressionStatement(
            value=nodes.Call(
                function=nodes.Attribute(value=nodes.Name(identifier=target), attribute="append"),
                arguments=(value,),
                keywords=(),
            )
        ):
            return _Store(statement, target, value, None)
        case nodes.Assignment(targets=(nodes.Name(identifier=target),), value=value):
            for other in function.body:
                if isinstance(other, nodes.ScopeDeclaration) and other.names == (target,):
                    return _Store(statement, target, value, other)
            return None
        case _:
            return None


def _only_result(function: nodes.FunctionDefinition) -> nodes.Expression | None:
    last = function.body[-1]
    is_only = names_of(function).returns == [last]
    return last.value if is_only and isinstance(last, nodes.Return) else None


def _may_wait(function: nodes.FunctionDefinition, store: _Store) -> bool:
    """Whether the value is the same at the end of the function, and its place not read before."""
    names, statement = names_of(function), store.statement
    places = names.starts.get(store.target, [])
    needed = names_in(store.value)
    if store.declaration is not None:
        return store.target not in needed and not (places and places[0] < statement.start)
    elsewhere = places and (places[0] < statement.start or places[-1] >= statement.end)
    changed = any(names.last_bound.get(name, 0) >= statement.end for name in needed)
    return not changed and not elsewhere


@keep(1)
def calls_of(module: ModuleFacts, name: str) -> Sequence[Site]:
    """The sites where a function is called, if it is used in no other way in the file."""
    found: list[Site] = []
    for unit in module.units:
        if name not in unit.text:
            continue
        for node in walk(*unit.body):
            if isinstance(node, nodes.Name) and node.identifier == name:
                place = unit.location(node.start, node.end, "")
                call = find_site(module, place)
                if call is None or not isinstance(call.parent, nodes.Call):
                    return []
                if call.parent.function is not node:
                    return []
                found.append(call)
    return found


def _names_around(call: Site) -> frozenset[str]:
    return names_in(call.functions[0] if call.functions else call.statement)


def _stored_by(call: Site, store: _Store, name: str) -> Edit | None:
    """The statement of a call with the stored value taken out of the result."""
    statement, made = call.statement, call.parent
    if made is None or not call.is_alone(statement) or (call.functions and store.declaration):
        return None
    match statement:
        case nodes.Assignment(targets=(nodes.Name(identifier=target),), value=value):
            result = target
        case nodes.ExpressionStatement(value=value):
            result = "_"
        case _:
            return None
    if value is not made:
        return None
    line = f"{result}, {name} = {call.text(made)}"
    if store.declaration is None:
        indent = call.indent(statement) or ""
        line += f"{call.line_end}{indent}{store.target}.append({name})"
    return call.replace_range(statement.start, statement.end, line)
