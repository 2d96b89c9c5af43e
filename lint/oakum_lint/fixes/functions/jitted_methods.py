"""Jitted methods in fixes: `self` is static where nothing changes it, a dataclass is a pytree."""

from typing import Final

from oakum_lint.fixes.editing.logic import Logic
from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.functions.static_arguments import at_decorator
from oakum_lint.fixes.site import Site, find_definition
from oakum_lint.fixes.tree import walk
from oakum_lint.models import dotted
from oakum_lint.models.annotations import annotation_kind
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix
from oakum_lint.text.names import stored_attributes

_REGISTER: Final = dotted.REGISTER_DATACLASS
_TRACEABLE: Final = frozenset({"array", "arraylike", "key", "tree"})
_MAKERS: Final = frozenset({"__init__", "__post_init__"})


def known_receiver(site: Site, name: str, method: str, parameter: str) -> Fix | None:
    """Has `jit` know what to do with the instances of a class that a jitted method gets."""
    place = find_definition(site.module, name)
    if place is None or not isinstance(place.node, nodes.ClassDefinition):
        return None
    decorators = [d.function if isinstance(d, nodes.Call) else d for d in place.node.decorators]
    if any(meaning(place, d) == dotted.DATACLASS for d in decorators):
        return _registered(place, place.node)
    return _static(place, place.node, method, parameter) if not decorators else None


def _registered(place: Site, cls: nodes.ClassDefinition) -> Fix | None:
    """Registers a dataclass whose fields are all annotated as what can be traced."""
    fields = [s for s in cls.body if isinstance(s, nodes.AnnotatedAssignment)]
    logic = Logic(place)
    decorator = logic.named(_REGISTER)
    traceable = all(_is_traceable(place, field.annotation) for field in fields)
    if cls.bases or not fields or not traceable or decorator is None or place.indent(cls) is None:
        return None
    edits = [place.line_before(cls, f"@{decorator}"), *logic.edits]
    title = f"Register `{cls.name}` as a pytree"
    return make_fix(title, edits, Safety.UNSAFE, everywhere=True)


def _is_traceable(place: Site, annotation: nodes.Expression) -> bool:
    if isinstance(annotation, nodes.Name) and annotation.identifier == "float":
        return True
    return annotation_kind(meaning(place, annotation)) in _TRACEABLE


def _static(place: Site, cls: nodes.ClassDefinition, method: str, parameter: str) -> Fix | None:
    """Names `self` as static where its class and their bases let it be."""
    family = _family(place, cls)
    if not all(_is_unchanged(each) for each in family):
        return None
    for each in family:
        assert isinstance(each.node, nodes.ClassDefinition)
        for function in each.node.body:
            if isinstance(function, nodes.FunctionDefinition) and function.name == method:
                for decorator in function.decorators:
                    site = Site(each.module, each.unit, (each.node, function, decorator))
                    edits = at_decorator(site, function, decorator, (parameter,))
                    if edits:
                        title = f"Make `{parameter}` static"
                        return make_fix(title, edits, Safety.UNSAFE, everywhere=True)
                return None
    return None


def _family(place: Site, cls: nodes.ClassDefinition) -> list[Site]:
    """A class and its bases in the module, in the order in which they are asked for a method."""
    family, pending = [place], [*cls.bases]
    while pending and len(family) < 10:
        base = pending.pop(0)
        found = find_definition(place.module, place.text(base))
        if found is not None and isinstance(found.node, nodes.ClassDefinition):
            family.append(found)
            pending += found.node.bases
    return family


def _is_unchanged(place: Site) -> bool:
    """Whether instances keep their attributes once they are made, and have a hash."""
    cls = place.node
    assert isinstance(cls, nodes.ClassDefinition)
    methods = {s.name: s for s in cls.body if isinstance(s, nodes.FunctionDefinition)}
    if "__eq__" in methods and "__hash__" not in methods:
        return False
    makers = [methods[name] for name in _MAKERS & methods.keys()]
    made = {n.attribute for n in walk(*makers) if isinstance(n, nodes.Attribute)}
    if not made:
        return True
    within = sum(len(stored_attributes(place.text(maker), made)) for maker in makers)
    return len(stored_attributes(place.whole_text, made)) == within
