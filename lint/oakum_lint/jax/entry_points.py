"""Functions of a library: traced by its users, as its annotations or its settings say."""

from oakum.values.records import dataclass
from oakum_lint.arrays.annotations import annotated_type
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.arrays.array_uses import array_use
from oakum_lint.arrays.documented_arrays import is_documented_array
from oakum_lint.arrays.host_requests import draws_figure
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import FunctionValue, TypeForm
from oakum_lint.domain.frames import Frame, TraceEntry, begin_trace
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    External,
    HeapObject,
    Origin,
    Place,
    Value,
)
from oakum_lint.jax.annotation_values import Promise, instance_value, parameter_value, tested_number
from oakum_lint.jax.implicit_tracing import is_scalar
from oakum_lint.jax.inverted_flags import declare_flags, parameter_flag
from oakum_lint.jax.non_pytree_values import is_plain_class
from oakum_lint.jax.tracing import (
    STAGED,
    call_traced,
    lift_argument,
    origin_of_parameter,
)
from oakum_lint.models.annotations import CONTAINERS_OF_TEXTS, FUNCTION_TYPES, HOST_METHODS, TEXTS
from oakum_lint.models.habits import is_test_file
from oakum_lint.python.objects.classes import prototype, receiver_kind
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk, walk_own


def assume(machine: Machine, function: FunctionValue, frame: Frame) -> None:
    """Traces a function with what its annotations promise, or with all that it takes if it is a
    declared entry point, unless a transform was seen to trace it.
    """
    if machine.known.traced.holds(function) or machine.known.hosted.holds(function):
        return
    declared = machine.assumptions.declares(qualified_name(function))
    if not declared and (not machine.assumptions.annotated or _stays_on_host(machine, function)):
        return
    if not declared and draws_figure(machine, function):
        return
    label = f"assumption (arrays annotated in `{function.name}`)"
    if declared:
        label = f"declaration (entry point `{function.name}`)"
    entry = begin_trace(
        frame,
        label,
        function.definition,
        staged=declared,
        abstract=True,
        presumed=True,
        assumed=not declared,
    )
    passed = _EntryArguments(machine, function, entry, declared)
    positional, keywords = passed.receiver(), dict[str, Value]()
    for parameter in function.definition.parameters.items[len(positional) :]:
        match parameter.kind:
            case "positional_only" | "positional" if parameter.default is None and not keywords:
                positional += (passed.value(parameter),)
            case "positional" | "keyword_only":
                keywords[parameter.name] = passed.value(parameter)
            case _:
                pass
    if passed.promised or declared:
        call_traced(machine, function, Arguments(positional, keywords), entry)


def _stays_on_host(machine: Machine, function: FunctionValue) -> bool:
    """Whether a function shows a value, is part of a test, makes the function that is to be traced,
    returns texts, or counts what its object has got so far.
    """
    definition = function.definition
    if function.name in HOST_METHODS or is_test_file(function.module.path):
        return True
    if not isinstance(definition, nodes.FunctionDefinition):
        return False
    if definition.returns is not None:
        outside = Frame(function.scope, function.unit, function.module, None)
        match annotated_type(machine, definition.returns, outside):
            case External(path) | TypeForm(path) if path in FUNCTION_TYPES:
                return True
            case _ if _is_text(definition.returns):
                return True
            case _:
                pass
    return (
        function.cls is not None
        and receiver_kind(function) == "instance"
        and is_plain_class(machine, function.cls)
        and _counts(definition)
    )


def _is_text(annotation: nodes.Expression) -> bool:
    """Whether an annotation promises texts and nothing else: what is compiled returns none."""
    names = {
        node.identifier if isinstance(node, nodes.Name) else node.attribute
        for node in walk((annotation,))
        if isinstance(node, nodes.Name | nodes.Attribute)
    }
    return not names.isdisjoint(TEXTS) and names <= TEXTS | CONTAINERS_OF_TEXTS


def _counts(definition: nodes.FunctionDefinition) -> bool:
    """Whether a method adds a number to an attribute of its object."""
    receiver = definition.parameters.items[0].name
    return any(
        isinstance(node, nodes.AugmentedAssignment)
        and isinstance(node.value, nodes.Constant)
        and isinstance(node.target, nodes.Attribute)
        and isinstance(node.target.value, nodes.Name)
        and node.target.value.identifier == receiver
        for node in walk_own(definition.body)
    )


def qualified_name(function: FunctionValue) -> str:
    """The dotted name of a function: of its module, its class if it is a method, and its own."""
    cls = f"{function.cls.name}." if function.cls is not None else ""
    return f"{function.module.name}.{cls}{function.name}"


@dataclass(slots=True)
class _EntryArguments:
    """The arguments of an entry point; `promised` once an annotation says what one holds."""

    machine: Machine
    function: FunctionValue
    entry: TraceEntry
    declared: bool
    promised: bool = False

    def receiver(self) -> tuple[Value, ...]:
        """The first argument of a method: an instance, or the class."""
        machine, cls = self.machine, self.function.cls
        kind = receiver_kind(self.function)
        if cls is None or kind is None:
            return ()
        if kind == "class":
            return (cls,)
        if self.function.name == "__init__":
            return (HeapObject("instance", self.entry.trace.level, cls),)
        made = instance_value(machine, cls, Promise(self.entry, None))
        self.promised |= made is not None
        receiver = made or prototype(machine, cls, self.entry.frame)
        if machine.assumptions.annotated:
            self.promised |= declare_flags(machine, self.function, receiver)
        return (receiver,)

    def value(self, parameter: nodes.Parameter) -> Value:
        """Returns the value of a parameter."""
        machine, entry = self.machine, self.entry
        value = parameter_value(machine, self.function, parameter, entry)
        if value is None and machine.assumptions.annotated:
            value = tested_number(machine, self.function, parameter, entry)
            value = value or parameter_flag(self.function, parameter)
            value = value or self._documented(parameter) or self._used(parameter)
        if value is not None:
            self.promised = True
            return value
        if not self.declared or parameter.default is not None:
            return UNKNOWN
        if is_scalar(machine, self.function, parameter):
            return UNKNOWN
        signature = signature_of(machine, self.function)
        origin = origin_of_parameter(signature, parameter, entry)
        return lift_argument(machine, UNKNOWN, entry, origin, STAGED)

    def _documented(self, parameter: nodes.Parameter) -> Value | None:
        """The value of a parameter without an annotation of which the docstring says that it is an
        array.
        """
        if parameter.annotation is not None:
            return None
        match parameter.default:
            case None | nodes.Constant(value=None):
                pass
            case _:
                return None
        if not is_documented_array(self.machine, self.function, parameter.name):
            return None
        message = f"`{parameter.name}` is documented as an array, and taken as traced"
        array = self._array(parameter, message)
        return array if parameter.default is None else join(array, NONE)

    def _used(self, parameter: nodes.Parameter) -> Value | None:
        """The value of a parameter without an annotation that the function uses as an array."""
        if parameter.annotation is not None or parameter.default is not None:
            return None
        function = self.function
        use = array_use(self.machine, function, parameter)
        if use is None:
            return None
        message = f"`{parameter.name}` is used as an array here, and taken as traced"
        return self._array(use, message)

    def _array(self, node: nodes.Node, message: str) -> Array:
        """A traced array, which a note at a node explains."""
        function = self.function
        origin = Origin(function.module, function.unit, node.start, node.end, message)
        return Array(UNKNOWN_ARRAY, Place.ABSTRACT, self.entry.trace.level, origin)
