"""Calls in fixes: another function for the same arguments."""

from oakum.values import declarations
from oakum_lint.fixes.editing.comments import comments_of
from oakum_lint.fixes.editing.expressions import argument_text
from oakum_lint.fixes.editing.spelling import meaning, spell
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.models.attributes import NOT_ARRAYS
from oakum_lint.models.host.numpy import numpy_facts
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix


def call_instead(site: Site, spelled: str, path: str, safety: Safety) -> Fix | None:
    """Calls the function of JAX at `path` with the arguments of the flagged call of `spelled`.

    A method of an object becomes a function whose first argument is the object. None where the
    function does not take these arguments.
    """
    call = site.node
    if not isinstance(call, nodes.Call) or " ".join(site.text(call.function).split()) != spelled:
        return None
    owner = None
    if not meaning(site, call.function):
        if not isinstance(call.function, nodes.Attribute):
            return None
        owner = call.function.value
    spelling = spell(site, path)
    if spelling is None or not takes(path, call, owner is not None):
        return None
    edits = list(spelling.edits)
    if owner is None:
        edits.append(site.replace(call.function, spelling.text))
    else:
        edits += _with_owner(site, call, owner, spelling.text)
    return make_fix(f"Call `{spelling.text}`", edits, safety)


def call_elsewhere(site: Site, path: str) -> Fix | None:
    """Calls the function of JAX at `path` in the place of the flagged one, whatever that is."""
    if not isinstance(site.node, nodes.Call):
        return None
    spelled = " ".join(site.text(site.node.function).split())
    return call_instead(site, spelled, path, Safety.UNSAFE)


def call_of_numpy(site: Site) -> Fix | None:
    """Calls the function of NumPy with the arguments of a flagged call of `jax.numpy`."""
    call = site.node
    if not isinstance(call, nodes.Call):
        return None
    path = meaning(site, call.function)
    declared = (
        numpy_facts(path.removeprefix(dotted.IN_JAX)) if path.startswith(dotted.IN_JNP) else None
    )
    spelling = spell(site, path.removeprefix(dotted.IN_JAX)) if declared else None
    if declared is None or spelling is None:
        return None
    known = {parameter.name for parameter in declared.parameters if parameter} | {"dtype"}
    if any(keyword.name not in known for keyword in call.keywords):
        return None
    edits = [site.replace(call.function, spelling.text), *spelling.edits]
    return make_fix(f"Call `{spelling.text}`", edits, Safety.UNSAFE)


def _with_owner(site: Site, call: nodes.Call, owner: nodes.Expression, function: str) -> list[Edit]:
    opening = site.unit.text.index("(", call.function.end)
    has_more = bool(call.arguments or call.keywords)
    text = f"{function}({argument_text(site, owner)}{', ' if has_more else ''}"
    return [site.replace_range(call.start, opening + 1, text)]


def takes(path: str, call: nodes.Call, with_owner: bool = False) -> bool:
    """Whether a function of JAX takes the arguments of a call, as far as their number and names;
    `with_owner`, after the array whose method was called.
    """
    declared = declarations.find(path.removeprefix(dotted.IN_JAX))
    if declared is None:
        return False
    if with_owner and not NOT_ARRAYS.isdisjoint([*declared.signature.parameters][:1]):
        return False
    if any(isinstance(argument, nodes.Starred) for argument in call.arguments):
        return False
    names = [keyword.name for keyword in call.keywords]
    if "out" in names:  # a parameter for NumPy's sake, which takes None alone
        return False
    try:
        declared.signature.bind(
            *range(len(call.arguments) + with_owner), **{name: 0 for name in names if name}
        )
    except TypeError:
        return False
    return None not in names


def added_argument(site: Site, call: nodes.Call, text: str) -> Edit | None:
    """Adds an argument at the end of a call; None where a comment stands there."""
    closing = call.end - 1
    last = max((argument.end for argument in (*call.arguments, *call.keywords)), default=closing)
    if comments_of(site, min(last, closing), call.end, ()):
        return None
    before = site.unit.text[:closing].rstrip()
    separator = "" if before.endswith("(") else " " if before.endswith(",") else ", "
    return site.replace_range(len(before), len(before), separator + text)
