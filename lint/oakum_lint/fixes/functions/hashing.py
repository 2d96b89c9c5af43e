"""Static arguments without a hash in fixes: tuples for lists, and frozen dataclasses."""

from oakum_lint.fixes.editing.calls import added_argument
from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.site import Site, find_definition
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix
from oakum_lint.text.names import stored_attributes


def tuple_for_list(site: Site, parameter: str) -> Fix | None:
    """Hands over a tuple in the place of a list written out."""
    call = site.node
    if not isinstance(call, nodes.Call):
        return None
    passed = [keyword.value for keyword in call.keywords if keyword.name == parameter]
    lists = [v for v in passed or call.arguments if isinstance(v, nodes.Display)]
    lists = [v for v in lists if v.kind == "list"]
    if len(lists) != 1 or any(isinstance(part, nodes.Display) for part in lists[0].elements):
        return None
    edits = _as_tuple(site, lists[0])
    return make_fix(f"Pass a tuple for `{parameter}`", edits, Safety.SAFE)


def _as_tuple(site: Site, display: nodes.Display) -> list[Edit]:
    inside = site.text(display)[1:-1].rstrip()
    needs_comma = len(display.elements) == 1 and not inside.endswith(",")
    return [
        site.replace_range(display.start, display.start + 1, "("),
        site.replace_range(display.end - 1, display.end, ",)" if needs_comma else ")"),
    ]


def frozen_class(site: Site, name: str) -> Fix | None:
    """Freezes a dataclass of the module whose fields nobody assigns to."""
    place = find_definition(site.module, name)
    cls = place.node if place else None
    if place is None or not isinstance(cls, nodes.ClassDefinition):
        return None
    fields = [
        s.target.identifier
        for s in cls.body
        if isinstance(s, nodes.AnnotatedAssignment) and isinstance(s.target, nodes.Name)
    ]
    if stored_attributes(site.whole_text, fields):
        return None
    for decorator in cls.decorators:
        if isinstance(decorator, nodes.Call):
            if any(keyword.name in ("frozen", None) for keyword in decorator.keywords):
                return None  # what has no hash is a field
            is_dataclass = meaning(place, decorator.function) == dotted.DATACLASS
            edit = added_argument(place, decorator, "frozen=True")
        else:
            is_dataclass = meaning(place, decorator) == dotted.DATACLASS
            edit = place.replace_range(decorator.end, decorator.end, "(frozen=True)")
        if is_dataclass and edit is not None:
            return make_fix(f"Freeze `{cls.name}`", [edit], Safety.UNSAFE, everywhere=True)
    return None
