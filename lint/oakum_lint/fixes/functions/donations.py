"""Donated arguments in fixes: one whose memory nothing can take is donated no more."""

from collections.abc import Sequence
from typing import Final

from oakum_lint.fixes.editing.comments import comments_of
from oakum_lint.fixes.site import Site, find_definition
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix

_OPTIONS: Final = ("donate_argnums", "donate_argnames")


def keep_argument(site: Site, parameter: str) -> Fix | None:
    """Takes a parameter out of those that the flagged call of `jit` donates."""
    call = site.node
    if not isinstance(call, nodes.Call):
        return None
    donating = [keyword for keyword in call.keywords if keyword.name in _OPTIONS]
    if len(donating) != 1:
        return None
    (option,) = donating
    passed = option.value.elements if isinstance(option.value, nodes.Display) else (option.value,)
    values = [item.value for item in passed if isinstance(item, nodes.Constant)]
    wanted = _position(site, parameter) if option.name == "donate_argnums" else parameter
    if len(passed) == 1 and values:
        (wanted,) = values
    if len(values) != len(passed) or values.count(wanted) != 1:
        return None
    if comments_of(site, call.start, call.end, ()):
        return None
    kept = [item for item in passed if item is not passed[values.index(wanted)]]
    edit = _narrowed(site, option, kept) if kept else _without(site, call, option)
    return make_fix(f"Do not donate `{parameter}`", [edit], Safety.SAFE)


def _position(site: Site, parameter: str) -> int | None:
    """The position of a parameter in the function that the call jits."""
    call, around = site.node, site.parent
    assert isinstance(call, nodes.Call)
    match call.arguments[:1]:
        case (nodes.Lambda() as function,):
            pass
        case (nodes.Name(identifier=name),):
            place = find_definition(site.module, name)
            function = place.node if place is not None else None
        case _:
            function = None
    if isinstance(around, nodes.FunctionDefinition) and call in around.decorators:
        function = around
    if not isinstance(function, nodes.FunctionDefinition | nodes.Lambda):
        return None
    names = [item.name for item in function.parameters.items]
    return names.index(parameter) if parameter in names else None


def _narrowed(site: Site, option: nodes.Keyword, kept: Sequence[nodes.Expression]) -> Edit:
    listed = ", ".join(site.text(item) for item in kept)
    return site.replace(option.value, f"({listed},)" if len(kept) == 1 else f"({listed})")


def _without(site: Site, call: nodes.Call, option: nodes.Keyword) -> Edit:
    """The call without the option; `partial` of `jit` alone, which a decorator was, is `jit`."""
    around = site.parent
    is_decorator = isinstance(around, nodes.FunctionDefinition) and call in around.decorators
    if is_decorator and len(call.arguments) == len(call.keywords) == 1:
        return site.replace(call, site.text(call.arguments[0]))
    parts = sorted((*call.arguments, *call.keywords), key=lambda part: part.start)
    place = parts.index(option)
    if place == 0:
        end = parts[1].start if len(parts) > 1 else option.end
        return site.replace_range(option.start, end, "")
    return site.replace_range(parts[place - 1].end, option.end, "")
