"""Methods that modules have from their frameworks: `replace`, `apply`, `init` and their kin."""

from oakum_lint.arrays.trace_boundary import unseen_tree
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import BoundMethod, ClassValue, FunctionValue, Transformed
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    Constant,
    HeapObject,
    TupleValue,
    Value,
)
from oakum_lint.libraries.linen_scopes import MADE, Handed, read_state, running_on
from oakum_lint.libraries.module_state import check_state_method
from oakum_lint.models.frameworks.flax_linen import STATE_METHODS
from oakum_lint.python.objects.instances import replace_fields, set_up
from oakum_lint.syntax import nodes


def module_method(
    machine: Machine,
    owner: HeapObject,
    name: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`module.apply(variables, ...)` and `module.init(key, ...)` run a method of the module;
    `replace` copies.
    """
    if name == "replace":
        return replace_fields(machine, owner, arguments, frame, node)
    if name in STATE_METHODS:
        check_state_method(machine, owner, name, arguments, frame, node)
        return read_state(machine, name, arguments, frame, node)
    if owner.cls is None or name not in ("apply", "init", "init_with_output"):
        return UNKNOWN
    target = _chosen_method(machine, owner.cls, arguments.keywords.get("method"))
    if not isinstance(target, FunctionValue | Transformed):
        return UNKNOWN
    passed = {
        key: value
        for key, value in arguments.keywords.items()
        if key not in ("method", "rngs", "mutable", "capture_intermediates")
    }
    inner = Arguments(
        arguments.positional[1:],
        passed,
        arguments.more,
        arguments.more_keywords,
        arguments.places[1:],
        arguments.keyword_places,
    )
    if name == "apply":
        # Of each key, `init` makes other numbers.
        for hears in machine.moments.module_applied:
            hears(machine, owner, target, arguments, inner, frame, node)
    rooted = frame.beneath(frame.trace, rooted=name)
    variables = arguments.get(0, "variables") if name == "apply" else MADE
    left_out = NONE if arguments.more_keywords is None else UNKNOWN
    options = (arguments.keywords.get(option, left_out) for option in ("mutable", "rngs"))
    with running_on(machine, Handed(variables or UNKNOWN, *options)):
        set_up(machine, owner, rooted, node)
        result = machine.call(BoundMethod(target, owner), inner, rooted, node)
    made = unseen_tree(frame, node)
    if name == "init":
        return made
    mutable = arguments.keywords.get("mutable") if name == "apply" else TRUE
    if mutable is None or mutable in (FALSE, NONE):
        return result
    return TupleValue((result, made)) if isinstance(mutable, Constant | HeapObject) else UNKNOWN


def _chosen_method(machine: Machine, cls: ClassValue, method: Value | None) -> Value | None:
    """The method that `apply` and `init` are asked to run."""
    match method:
        case None | Constant(None):
            return class_attribute(machine, cls, "__call__")
        case Constant(str(name)):
            return class_attribute(machine, cls, name)
        case BoundMethod(function):
            return function
        case _:
            return method
