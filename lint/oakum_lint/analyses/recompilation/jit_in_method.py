"""Compiled functions that a method, or a function of a module, makes and calls at each call, where
its name says that it is called in each step of a loop, or where it hands on what it gets, and not
in a loop of its own, which may be worth the compilation: the calls are code of users, which is not
seen.
"""

from oakum.values.records import dataclass, field
from oakum_lint.analyses.recompilation.jit_in_loop import NO_ARRAY, JitInLoop
from oakum_lint.analyses.recompilation.loop_varying import behind_transforms, compares_functions
from oakum_lint.domain.callables import BoundMethod, ClassValue, FunctionValue, Site, Transformed
from oakum_lint.domain.frames import Frame, is_definition
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import CompiledCall, Guest, Moments
from oakum_lint.jax.non_pytree_values import is_plain_class
from oakum_lint.models.habits import (
    CALLED_EACH_STEP,
    CALLED_ONCE,
    COMPUTES_FOR_USERS,
    is_test_file,
)
from oakum_lint.models.mutation import STORES
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk, walk_own

CALLED_AGAIN = "no second call is seen"


@dataclass(slots=True)
class MadeInMethods:
    """Where methods and functions have made compiled functions, with the scope of the call."""

    by_site: dict[Site, int] = field(default_factory=dict[Site, int])


def _note_made(machine: Machine, made: Transformed, frame: Frame) -> None:
    """Notes a compiled function of a new function object that each call makes."""
    method = frame.called.function
    if made.transform.facts.kind != "jit" or method is None or not is_definition(frame):
        return
    if frame.level or frame.guards or frame.flow.loops or _is_kept(made, method):
        return
    if is_test_file(frame.module.path):
        return
    cls = method.cls
    if isinstance(cls, ClassValue):
        again = method.scope is cls.body and is_plain_class(machine, cls)
    else:
        again = method.scope.kind == "module"
    if again and _is_new(made, frame):
        machine.state_of(MadeInMethods).by_site[made.site] = frame.scope.uid


def _is_kept(made: Transformed, method: FunctionValue) -> bool:
    """Whether the compiled function may be found again: the method puts it into an attribute, an
    item or a name of the module, returns it or hands it on, or is decorated, as by a cache.
    """
    definition = method.definition
    if not isinstance(definition, nodes.FunctionDefinition) or definition.decorators:
        return True
    body = [*walk(definition.body)]
    if any(isinstance(node, nodes.ScopeDeclaration) for node in body):
        return True
    names: set[str] = set()
    for node in body:
        match node:
            case nodes.Assignment(targets=targets, value=value) if _is_in(made.site, value):
                if any(isinstance(each, nodes.Attribute | nodes.Subscript) for each in targets):
                    return True
                if (value.start, value.end) == (made.site.start, made.site.end):
                    names |= {each.identifier for each in targets if isinstance(each, nodes.Name)}
            case nodes.Call(function=nodes.Attribute(attribute=how), arguments=arguments) if (
                how in STORES and any(_is_in(made.site, each) for each in arguments)
            ):
                return True
            case nodes.FunctionDefinition(name=name, decorators=decorators) if any(
                _is_in(made.site, each) for each in decorators
            ):
                names.add(name)
            case _:
                pass
    return _are_handed_on(names, definition)


def _is_in(site: Site, node: nodes.Node) -> bool:
    return node.start <= site.start and site.end <= node.end


def _are_handed_on(names: set[str], definition: nodes.FunctionDefinition) -> bool:
    """Whether one of the names is read for more than a call, or by a function within."""
    own = [*walk_own(definition.body)]
    called = {id(node.function) for node in own if isinstance(node, nodes.Call)}
    kept = {id(part) for node in own if isinstance(node, nodes.Lambda) for part in walk((node,))}
    bound = {
        id(each) for node in own if isinstance(node, nodes.Assignment) for each in node.targets
    }
    return any(
        isinstance(node, nodes.Name)
        and node.identifier in names
        and id(node) not in bound
        and (id(node) not in called or id(node) in kept)
        for node in walk(definition.body)
    )


def _is_new(made: Transformed, frame: Frame) -> bool:
    """Whether the call itself makes what is compiled: a function that is defined in it, a method of
    its object, which is a new object each time that it is read, or a transform of either.
    """
    function, is_other = behind_transforms(made)
    match function:
        case FunctionValue(scope=scope):
            return scope is frame.scope or is_other
        case BoundMethod(receiver=receiver):
            return receiver is frame.called.receiver and (is_other or not compares_functions(made))
        case _:
            return False


def _check_called(machine: Machine, call: CompiledCall) -> None:
    """Reports the call of a compiled function that the same call of a method has made."""
    frame, site = call.frame, call.function.site
    made = machine.state_of(MadeInMethods).by_site
    method = frame.called.function
    if made.get(site) != frame.scope.uid or method is None or site.unit is not frame.unit:
        return
    del made[site]
    by_name = [name.match(method.name) for name in (CALLED_EACH_STEP, COMPUTES_FOR_USERS)]
    if frame.flow.loops and not by_name[0]:
        # The loop may be worth what the compilation costs.
        return
    if not any(by_name) and (CALLED_ONCE.match(method.name) or not _hands_on(call, method)):
        return
    place = nodes.Pass(site.start, site.end)
    details = {"method": method.name, "of_object": method.cls is not None}
    machine.emit(JitInLoop, frame, place, NO_ARRAY, place, CALLED_AGAIN, **details)


def _hands_on(call: CompiledCall, method: FunctionValue) -> bool:
    """Whether a compiled function gets something of what a method does, beside its object."""
    own = {parameter.name for parameter in method.definition.parameters.items}
    if isinstance(method.cls, ClassValue):
        own -= {parameter.name for parameter in method.definition.parameters.items[:1]}
    places = (*call.arguments.places, *call.arguments.keyword_places.values())
    return any(isinstance(part, nodes.Name) and part.identifier in own for part in walk(places))


GUEST = Guest(
    "jit_in_method",
    Moments(transform_made=(_note_made,), compiled_call=(_check_called,)),
    after=("jit_in_loop",),
)
