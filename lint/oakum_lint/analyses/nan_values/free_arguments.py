"""Arguments that nothing is seen to keep small: neither as they are written, nor where the function
binds the names that they are made of.
"""

from collections.abc import Sequence

from oakum.values.records import dataclass, field
from oakum_lint.analyses.closed_world.sources import sources_in
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.names import called_name
from oakum_lint.domain.values import External
from oakum_lint.models.operations import (
    BOUNDS_RESULT,
    KEEPS_ELEMENTS,
    MAPPING_CALLS,
    OPPOSITES,
    SCALES,
)
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk, walk_own
from oakum_lint.text.names import LOG_PROBABILITY

FREE_OPERATORS = frozenset("+*/@")
"""Operators that an argument is made by which nothing keeps small."""
MAX_NAMES = 8
"""So many names are followed back."""

_BOUNDING = frozenset(name.rpartition(".")[2] for name in BOUNDS_RESULT | OPPOSITES)
_KEEPING = frozenset(name.rpartition(".")[2] for name in KEEPS_ELEMENTS) | MAPPING_CALLS
"""By their last names: methods of what is not known are called like the functions."""


def is_free(machine: Machine, place: nodes.Node, frame: Frame) -> bool:
    """Whether an argument is written as a name, or a sum or a product of such, and nothing is seen
    to be subtracted in it, or in what these stand for.
    """
    return _is_plain(place) and not _Sources(machine, frame).keep_small(place)


def _is_plain(place: nodes.Node) -> bool:
    pending = [place]
    while pending:
        match pending.pop():
            case nodes.Name() | nodes.Attribute():
                pass
            case nodes.Constant(value=value) if not isinstance(value, complex):
                pass
            case nodes.Subscript(value=value):
                pending.append(value)
            case nodes.BinaryOperation(operator=operator, left=left, right=right) if (
                operator in FREE_OPERATORS
            ):
                pending += (left, right)
            case _:
                return False
    return not isinstance(place, nodes.Constant)


@dataclass(slots=True)
class _Sources:
    """What the names and the attributes of an argument stand for, in the function at hand."""

    machine: Machine
    frame: Frame
    followed: set[str] = field(default_factory=set[str])

    def keep_small(self, place: nodes.Node) -> bool:
        """Whether something is subtracted in an expression or in what its names stand for, or
        bounds it.
        """
        pending = [place]
        while pending:
            node = pending.pop()
            if self._keeps(node):
                return True
            pending += self._parts(node)
        return False

    def _keeps(self, node: nodes.Node) -> bool:
        match node:
            case nodes.Constant(value=complex()):
                return True
            case nodes.UnaryOperation(operator="-", operand=operand):
                return not isinstance(operand, nodes.Constant)
            case nodes.BinaryOperation(operator=operator, left=left, right=right):
                return self._keeps_by(operator, left, right)
            case nodes.Name(identifier=name):
                return self._is_known_small(name)
            case nodes.Attribute(attribute=name):
                return LOG_PROBABILITY.fullmatch(name) is not None
            case nodes.Call():
                name = called_name(node)
                bounds = name in _BOUNDING or LOG_PROBABILITY.fullmatch(name) is not None
                return bounds or self._is_constant(node)
            case _:
                return False

    def _keeps_by(self, operator: str, left: nodes.Node, right: nodes.Node) -> bool:
        """Whether the result of an operator is bounded, or was something subtracted from."""
        match operator:
            case "-":
                return not any(isinstance(each, nodes.Constant) for each in (left, right))
            case "%":
                return True
            case "*" if _is_negative(left) or _is_negative(right):
                return True
            case "/":
                return _is_negative(right) or any(
                    isinstance(each, nodes.Call) and called_name(each) in SCALES
                    for each in self._divisor(right)
                )
            case _:
                return False

    def _divisor(self, node: nodes.Node) -> Sequence[nodes.Node]:
        found = [*walk((node,))]
        for each in tuple(found):
            if isinstance(each, nodes.Name):
                found += (part for source in self._bound(each) for part in walk((source,)))
        return found

    def _is_known_small(self, name: str) -> bool:
        """Whether a name says what is small, or a statement subtracts something from it."""
        if LOG_PROBABILITY.fullmatch(name) is not None:
            return True
        return any(
            isinstance(node, nodes.AugmentedAssignment)
            and isinstance(node.target, nodes.Name)
            and node.target.identifier == name
            and self._keeps_by(node.operator, node.target, node.value)
            for node in walk_own(self._body())
        )

    def _is_constant(self, node: nodes.Call) -> bool:
        """Whether a call names nothing but what libraries have."""
        return all(
            isinstance(self.machine.look(each, self.frame), External)
            for each in walk((node,))
            if isinstance(each, nodes.Name)
        )

    def _parts(self, node: nodes.Node) -> Sequence[nodes.Node]:
        """What an expression has its elements from."""
        match node:
            case nodes.Name(identifier=name):
                return self._follow(name, self._bound(node))
            case nodes.Attribute(value=nodes.Name() as owner, attribute=name):
                return self._follow(f".{name}", (owner, *self._assigned(name)))
            case nodes.BinaryOperation(left=left, right=right):
                return (left, right)
            case nodes.Conditional(body=body, orelse=orelse):
                return (body, orelse)
            case nodes.Subscript(value=value) | nodes.UnaryOperation(operand=value):
                return (value,)
            case nodes.Call() as call:
                while isinstance(call.function, nodes.Call):
                    # It makes the function: `vmap(lambda row: row - row.max())(x)`.
                    call = call.function
                kept = called_name(call) in _KEEPING
                return (*call.arguments, *_receiver(call.function)) if kept else ()
            case nodes.Lambda(body=body):
                return (body,)
            case nodes.Display(elements=elements):
                return elements
            case _:
                return ()

    def _follow(self, name: str, found: Sequence[nodes.Node]) -> Sequence[nodes.Node]:
        if name in self.followed or len(self.followed) == MAX_NAMES:
            return ()
        self.followed.add(name)
        return found

    def _body(self) -> tuple[nodes.Node, ...]:
        function = self.frame.called.function
        body = None if function is None else function.definition.body
        return body if isinstance(body, tuple) else ()

    def _bound(self, name: nodes.Name) -> Sequence[nodes.Node]:
        return sources_in(self._body()).before(name.identifier, name.start)

    def _assigned(self, name: str) -> Sequence[nodes.Node]:
        """What the methods of the class at hand assign to an attribute."""
        function = self.frame.called.function
        cls = None if function is None or function.cls is None else function.cls.definition
        return [
            source
            for each in (() if cls is None else cls.body)
            if isinstance(each, nodes.FunctionDefinition)
            for source in sources_in(each.body).attributes.get(name, ())
        ]


def _is_negative(node: nodes.Node) -> bool:
    """Whether a factor is a number below zero: what it multiplies is subtracted from nothing."""
    match node:
        case nodes.Constant(value=int() | float() as number):
            return number < 0
        case nodes.UnaryOperation(operator="-", operand=nodes.Constant()):
            return True
        case _:
            return False


def _receiver(function: nodes.Node) -> Sequence[nodes.Node]:
    return (function.value,) if isinstance(function, nodes.Attribute) else ()
