"""State of modules: parameters and variables that a framework keeps for the module that runs, made
or changed in a transform of JAX, which does not know of them.

Invariants:
- Only what was made before the transform began is outside it; a transform of the framework's own
  takes the state of all modules in with it.
"""

from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Method
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.reachability import all_in
from oakum_lint.domain.values import UNKNOWN, HeapObject, LibraryObject, TupleValue, Unknown, Value
from oakum_lint.models.frameworks.flax_linen import MAKES_STATE
from oakum_lint.models.frameworks.flax_nnx import (
    COUNTING_LAYERS,
    SAYS_EVALUATING,
    how_it_changes,
)
from oakum_lint.models.frameworks.haiku import STATE_FUNCTIONS
from oakum_lint.models.frameworks.layers import IN_HAIKU, makes_parameters
from oakum_lint.models.frameworks.numpyro import SAYS_HANDLING, SITES
from oakum_lint.models.frameworks.register import FUNCTIONAL
from oakum_lint.python.objects.access_paths import is_managed
from oakum_lint.python.objects.lifetimes import MAX_SEARCH, find_tracer
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

UNSEEN_CALL = "code that is not seen may have called the layer before"
UNSEEN_MODE = "the layer may be one that changes nothing"
UNSEEN_INIT = "the call may run where the state exists already"
UNSEEN_HANDLER = "a handler that is not seen may stand between the transform and the site"


def _inside(frame: Frame) -> int:
    """The level of the innermost trace in which a framework looks after modules, or may."""
    trace = frame.trace
    while trace is not None and not (trace.lifted or trace.presumed):
        trace = trace.parent
    return 0 if trace is None else trace.level


def _around(frame: Frame) -> int:
    """The level outside which a function with state begins that is no method of a module: that of
    what nobody calls, or of the traces in which a framework looks after it.
    """
    *_, outermost = frame.callers()
    return max(outermost.level, _inside(frame))


def _module_frame(frame: Frame) -> Frame | None:
    """The innermost activation of a method of a module that holds its state; None outside."""
    current: Frame | None = frame
    while current is not None and not current.called.rooted:
        # A frame without a call is the caller's own, inside a trace that it has begun.
        called = current.called.function if current.called.site is not None else None
        cls = None if called is None else called.cls
        runs_module = cls is not None and not cls.conventions.isdisjoint(FUNCTIONAL)
        if runs_module and isinstance(current.called.receiver, HeapObject):
            return current
        current = current.caller
    return None


def _is_initialised(frame: Frame) -> bool:
    """Whether all that runs here certainly makes its parameters: it runs for `init`."""
    roots = [caller.called.rooted for caller in frame.callers() if caller.called.rooted]
    return bool(roots) and roots[0].startswith("init")


def _emit(
    machine: Machine, frame: Frame, node: nodes.Node, kind: str, target: str, doubt: str
) -> None:
    details = {"kind": kind, "target": target}
    machine.emit(events.ModuleState, frame, node, UNKNOWN, node, doubt, **details)


def check_layer(machine: Machine, layer: LibraryObject, frame: Frame, node: nodes.Node) -> None:
    """Reports the first call of a layer that is made in a staged trace within its module: its
    parameters are made there too; and the call of an older one that counts what it does.
    """
    if layer.path in COUNTING_LAYERS and layer.level is not None and layer.draws is not False:
        _check_counting(machine, max(layer.level, layer.arrived), frame, node)
    if frame.staged_level and layer.level is not None and makes_parameters(layer.path):
        holder = _check_made(machine, layer.level, frame, node)
        if holder is not None and layer.path.startswith(IN_HAIKU):
            _check_transformed(machine, *holder)


def _check_counting(machine: Machine, level: int, frame: Frame, node: nodes.Node) -> None:
    """Reports the call of a layer that changes what it holds, and was made at a level, in a trace
    begun after that, unless the program says that it evaluates.
    """
    if max(level, _inside(frame)) >= frame.level or not isinstance(node, nodes.Call):
        return
    if not machine.project.units_that_say(frame.module, SAYS_EVALUATING):
        _emit(machine, frame, node, "variable", frame.text(node.function), UNSEEN_MODE)


def _check_made(
    machine: Machine, level: int, frame: Frame, node: nodes.Node
) -> tuple[int, Frame, nodes.Node] | None:
    """Reports parameters of something of this level, if a module around the trace makes them. What
    is called nowhere else makes them where it is called. Where no module is around the trace,
    returns the outermost one, by its level and where it is called.
    """
    staged, inside = frame.staged_level, _inside(frame)
    module, caller, call = _module_frame(frame), frame, node
    while module is not None:
        outside = max(module.level, inside)
        if outside < staged:
            doubt = "" if _is_initialised(frame) else UNSEEN_INIT
            if level <= outside:
                doubt = doubt or UNSEEN_CALL
            if level > outside or _is_only_call(caller, call):
                _emit(machine, frame, node, "parameters", frame.text(node), doubt)
            return None
        receiver = module.called.receiver
        level = receiver.level if isinstance(receiver, HeapObject) else 0
        if module.caller is None or module.called.node is None:
            return None
        caller, call = module.caller, module.called.node
        module = _module_frame(caller)
    return level, caller, call


def _check_transformed(machine: Machine, level: int, frame: Frame, node: nodes.Node) -> None:
    """Reports the call of a module of Haiku in a trace that is begun where no module is around it:
    in the function that Haiku transforms, which alone can call modules.
    """
    outside = _around(frame)
    if outside >= frame.staged_level:
        return
    if level > outside or _is_only_call(frame, node):
        doubt = UNSEEN_INIT if level > outside else UNSEEN_CALL
        _emit(machine, frame, node, "parameters", frame.text(node), doubt)


def _is_only_call(frame: Frame, node: nodes.Node) -> bool:
    """Whether a call is the only use of what it calls: a variable, or an attribute that the code
    around names once beside where it is set.
    """
    match node:
        case nodes.Call(function=nodes.Name(identifier=name)):
            wanted: type[nodes.Name | nodes.Attribute] = nodes.Name
        case nodes.Call(function=nodes.Attribute(value=nodes.Name(), attribute=name)):
            wanted = nodes.Attribute
        case _:
            return False
    used = bound = 0
    for part in walk(frame.unit.body):
        match part:
            case nodes.Assignment(targets=targets):
                bound += sum(_is_named(target, wanted, name) for target in targets)
            case nodes.Name() | nodes.Attribute():
                used += _is_named(part, wanted, name)
            case _:
                pass
    return bound == 1 and used == 2


def _is_named(node: nodes.Node, kind: type[nodes.Name | nodes.Attribute], name: str) -> bool:
    match node:
        case nodes.Name(identifier=found) | nodes.Attribute(attribute=found):
            return isinstance(node, kind) and found == name
        case _:
            return False


def check_state_method(
    machine: Machine,
    owner: HeapObject,
    name: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports `self.param` and its kin of Linen in a trace within the method of the module that
    runs.
    """
    module = _module_frame(frame)
    if module is None or module.called.receiver is not owner:
        return
    outside = max(module.level, _inside(frame))
    called = frame.text(node.function) if isinstance(node, nodes.Call) else name
    if name in MAKES_STATE:
        if outside < frame.staged_level:
            _emit(
                machine,
                frame,
                node,
                "parameters",
                called,
                "" if _is_initialised(frame) else UNSEEN_INIT,
            )
        return
    tracer = find_tracer(machine, TupleValue(arguments.positional), outside)
    if outside < frame.level and tracer is not None:
        _emit(machine, frame, node, "variable", called, UNSEEN_INIT)


def check_state_function(machine: Machine, path: str, frame: Frame, node: nodes.Node) -> None:
    """Reports `haiku.get_parameter` and its kin in a trace within a module, or within the function
    that Haiku transforms; and `numpyro.sample` in one within a model.
    """
    kind = "site" if path in SITES else STATE_FUNCTIONS.get(path)
    if kind is None or _around(frame) >= frame.staged_level:
        return
    if kind == "site":
        if not _inside(frame) or machine.project.units_that_say(frame.module, SAYS_HANDLING):
            return
        doubt = UNSEEN_HANDLER
    else:
        module = _module_frame(frame)
        if module is not None and module.level >= frame.staged_level:
            return
        doubt = UNSEEN_INIT
    called = frame.text(node.function) if isinstance(node, nodes.Call) else path
    _emit(machine, frame, node, kind, called, doubt)


def _check_attribute(
    machine: Machine, owner: Value, _name: str, _value: Value, frame: Frame, node: nodes.Node
) -> None:
    match owner:
        case HeapObject(kind="instance") if is_managed(owner):
            _check_module_store(machine, owner, frame, node)
        case Unknown():
            _check_variable_store(machine, owner, frame, node)
        case _:
            pass


def _check_module_store(
    machine: Machine, owner: HeapObject, frame: Frame, node: nodes.Node
) -> None:
    """Reports an attribute of an NNX module that is set in a trace begun after it was made, also in
    one of NNX that does not get the module.
    """
    if owner.cls is None or "nnx" not in owner.cls.conventions:
        return
    if owner.level >= frame.level or frame.trace is None:
        return
    if _inside(frame) < frame.level:
        _emit(machine, frame, node, "variable", frame.text(node), "")
    elif frame.trace.lifted and not _is_passed(machine, owner, frame):
        _emit(machine, frame, node, "captured", frame.text(node), "")


def _is_passed(machine: Machine, owner: HeapObject, frame: Frame) -> bool:
    """Whether the function that the innermost trace runs may get an object, or what holds it."""
    inside = [each for each in frame.callers() if each.level == frame.level]
    functions = [each for each in inside if each.called.function is not None]
    traced = functions[-1].called.function if functions else None
    if traced is None:
        return True
    names = [each.name for each in traced.definition.parameters.items]
    pending = [machine.read(functions[-1].scope, name) or UNKNOWN for name in names]
    seen: set[Value] = set()
    while pending and len(seen) < MAX_SEARCH:
        for value in all_in(pending.pop()):
            if value is owner or isinstance(value, Unknown):
                return True
            if isinstance(value, HeapObject) and value not in seen:
                seen.add(value)
                pending.extend(held for _, held in machine.store.held_by(value))
    return bool(pending)


def _check_variable_store(machine: Machine, _owner: Value, frame: Frame, node: nodes.Node) -> None:
    """Reports `module.variable[...] = x` and `module.variable.value = x` for a module that is older
    than the trace.
    """
    match node:
        case nodes.Attribute(value=nodes.Attribute(value=nodes.Name() as name), attribute="value"):
            pass
        case nodes.Subscript(value=nodes.Attribute(value=nodes.Name() as name), index=index):
            if frame.text(index) != "...":
                return
        case _:
            return
    owner = machine.evaluate(name, frame)
    if isinstance(owner, HeapObject):
        _check_module_store(machine, owner, frame, node)


def _check_update(
    machine: Machine, method: Method, _arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Reports a method of an optimizer, a metric or a stream of keys of NNX that changes it, in a
    trace begun after it was made.
    """
    owner = method.receiver
    if not isinstance(owner, LibraryObject) or owner.level is None:
        return
    if not how_it_changes(owner.path, method.name) or not isinstance(node, nodes.Call):
        return
    if max(owner.level, owner.arrived, _inside(frame)) < frame.level:
        _emit(machine, frame, node, "variable", frame.text(node.function), "")


def _check_item(
    machine: Machine, owner: Value, _value: Value, frame: Frame, node: nodes.Subscript
) -> None:
    _check_variable_store(machine, owner, frame, node)


GUEST = Guest(
    "module_state",
    Moments(
        attribute_stored=(_check_attribute,),
        item_stored=(_check_item,),
        method_call=(_check_update,),
    ),
)
