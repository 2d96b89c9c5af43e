"""Names: look-up and binding by Python's scope rules."""

import builtins

from oakum_lint.domain.callables import Scope
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import UNKNOWN, Constant, External, Value
from oakum_lint.models.types import builtin_type
from oakum_lint.syntax import nodes

_BUILTINS = {name: External(builtin_type(name)) for name in dir(builtins)}
_CONSTANTS = {"True": Constant(True), "False": Constant(False), "None": Constant(None)}


def look_up(machine: Machine, name: str, frame: Frame) -> Value:
    """The value of a name read in a frame; Unknown where nothing is known to bind it."""
    found = find(machine, name, frame)
    return unbound(machine, name, frame) if found is None else found[1]


def find(machine: Machine, name: str, frame: Frame) -> tuple[Scope, Value] | None:
    """The scope whose binding of the name a read in this frame finds, and the value there."""
    value = machine.read(frame.scope, name)
    return find_around(machine, name, frame) if value is None else (frame.scope, value)


def find_around(machine: Machine, name: str, frame: Frame) -> tuple[Scope, Value] | None:
    """The scope around the innermost one whose binding of the name a read in this frame finds, and
    the value there.
    """
    innermost = frame.scope.kind == "comprehension"
    scope = frame.scope.parent
    while scope is not None:
        # A class body's names are seen in the body itself only.
        names = scope.names
        if (innermost or scope.kind != "class") and (names is None or name in names):
            value = machine.read(scope, name)
            if value is not None:
                return scope, value
        innermost = innermost and scope.kind == "comprehension"
        scope = scope.parent
    return None


def bound_in(machine: Machine, name: str, frame: Frame) -> Scope | None:
    """The scope whose binding of the name a read in this frame finds, or None."""
    found = find(machine, name, frame)
    return None if found is None else found[0]


def unbound(machine: Machine, name: str, frame: Frame) -> Value:
    """The value of a name that no scope has bound yet: of a module, by a statement that was not
    looked at, or Python's own.
    """
    scope = frame.scope
    while scope.parent is not None:
        scope = scope.parent
    if scope.kind == "module" and scope.module.binders(name):
        value = machine.load_name(scope.module, name)
        if value is not None:
            return value
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    if name == "__name__":
        return Constant("__main__")
    return _BUILTINS.get(name, UNKNOWN)


def binding_scope(machine: Machine, name: str, frame: Frame) -> Scope:
    """The scope in which an assignment to the name in this frame binds it."""
    scope = frame.scope
    declared = scope.declared.get(name)
    if declared is None:
        return scope
    outer = scope.parent
    while outer is not None and outer.parent is not None:
        if (
            declared == "nonlocal"
            and outer.kind == "function"
            and machine.read(outer, name) is not None
        ):
            return outer
        outer = outer.parent
    return outer or scope


def called_name(node: nodes.Expression) -> str:
    """The last part of the name that an expression calls, or is."""
    function = node.function if isinstance(node, nodes.Call) else node
    if isinstance(function, nodes.Attribute):
        return function.attribute
    return function.identifier if isinstance(function, nodes.Name) else ""


def spelling(node: nodes.Node, path: str, frame: Frame) -> str:
    """The function as the user wrote it."""
    if isinstance(node, nodes.Call):
        text = " ".join(frame.text(node.function).split())
        if len(text) <= 40:
            return text
    return path
