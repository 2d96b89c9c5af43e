"""Variables that a compiled function reads, in fixes: each call passes their value of then.

A fix is made where all of this stands in one file: the function is jitted where it is defined, and
it is only called. Whoever calls it from another file passes one argument less: that is why it is
unsafe.
"""

from oakum_lint.fixes.editing.calls import added_argument
from oakum_lint.fixes.editing.spelling import hidden_names, is_jitted
from oakum_lint.fixes.functions.leaks import calls_of
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import bound_by
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix


def pass_variable(site: Site, name: str) -> Fix | None:
    """Makes a parameter of the variable that the jitted function around the site reads."""
    function = site.way[0]
    if not isinstance(function, nodes.FunctionDefinition) or site.functions != (function,):
        return None
    if not is_jitted(site, function) or name in bound_by(*function.body):
        return None
    calls = calls_of(site.module, function.name)
    edits = [_parameter(site, function, name), *(_argument(call, name) for call in calls)]
    made = [edit for edit in edits if edit is not None]
    if not calls or len(made) != len(edits):
        return None
    return make_fix(f"Pass `{name}` as an argument", made, Safety.UNSAFE, everywhere=True)


def _parameter(site: Site, function: nodes.FunctionDefinition, name: str) -> Edit | None:
    """Adds a parameter behind the existing ones, which all have to be passed by the callers."""
    items = function.parameters.items
    if not items or any(item.kind != "positional" or item.default for item in items):
        return None
    return site.replace_range(items[-1].end, items[-1].end, f", {name}")


def _argument(call: Site, name: str) -> Edit | None:
    """Adds an argument to a call that passes all existing ones by position."""
    made = call.parent
    assert isinstance(made, nodes.Call)
    if made.keywords or any(isinstance(passed, nodes.Starred) for passed in made.arguments):
        return None
    if name in hidden_names(call):
        return None
    return added_argument(call, made, name)
