"""A call of a control-flow operator or of a transform that is called at once: its functions,
operands and trace.
"""

from collections.abc import Callable, Sequence
from itertools import repeat

from oakum.values.facts import Facts
from oakum.values.records import replace
from oakum_lint.arrays.array_results import place_of_result, reach
from oakum_lint.arrays.graph_modules import made_inside
from oakum_lint.arrays.integer_ranges import RANGE
from oakum_lint.arrays.pytrees import handing_through
from oakum_lint.arrays.trace_boundary import Lowerer, NewAxis, tracer_around, unseen_result
from oakum_lint.arrays.zero_derivatives import CUT
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Tracing
from oakum_lint.domain.frames import Frame, TraceEntry, begin_trace
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Constant,
    Place,
    Scalar,
    TupleValue,
    Unknown,
    Value,
)
from oakum_lint.jax.gradient_types import aval_of
from oakum_lint.jax.non_pytree_values import check_operand, check_result
from oakum_lint.jax.tracing import call_traced, is_lifted, lift_argument, origin_of_parameter
from oakum_lint.models.frameworks.register import framework_transform
from oakum_lint.models.packages import declared_name, in_jax, in_lax
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes

Operator = Callable[[Machine, str, Facts, Arguments, Frame, nodes.Node], Value]


class OperatorCall:
    """One call of an operator: its arguments by name, and the traces that it starts."""

    def __init__(
        self,
        machine: Machine,
        path: str,
        declared: Facts,
        arguments: Arguments,
        frame: Frame,
        node: nodes.Node,
    ) -> None:
        self.machine, self.path, self.declared = machine, path, declared
        self.frame, self.node = frame, node
        self.arguments = arguments
        self.lifted: tuple[Value, ...] = ()
        """What the callee of the latest run was called with."""
        names = [
            parameter.name
            for parameter in declared.signature.parameters.values()
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]
        self.values: dict[str, Value] = dict(zip(names, arguments.positional, strict=False))
        self.values.update(arguments.keywords)
        self.rest = arguments.positional[len(names) :]

    def get(self, name: str) -> Value:
        """Returns an argument, Unknown where it is not passed."""
        return self.values.get(name, UNKNOWN)

    def entry(
        self, callee: Value, what: str, *, abstract: bool = True, staged: bool | None = None
    ) -> TraceEntry:
        """The trace in which a callee runs."""
        assert self.declared.transform is not None
        signature = signature_of(self.machine, callee)
        name = signature.name if signature.function is not None else ""
        label = (
            f"{what} `{name}`" if name and name != "<lambda>" else what.removesuffix(" of").strip()
        )
        if staged is None:
            staged = self.declared.transform.staged
        return begin_trace(
            self.frame,
            label,
            self.node,
            staged=staged,
            abstract=abstract,
            differentiates=not abstract,
            forward=self.declared.transform.kind == "jvp",
            kind=self.declared.transform.kind,
            lifted=is_lifted(self.path),
        )

    def run(
        self,
        callee: Value,
        values: tuple[Value, ...],
        what: str,
        *,
        drop: frozenset[int] = frozenset(),
        carried: int | None = None,
        abstract: bool = True,
        staged: bool | None = None,
        lifted: bool = True,
    ) -> Value:
        """Calls a callee in a trace of its own on values that are lifted into it. The one at the
        position that is `carried` comes from iterations that may bring in what has a derivative.
        """
        machine, frame, node = self.machine, self.frame, self.node
        checked = abstract and lifted and in_lax(self.title)  # any other may filter what it gets
        foreign = 0
        for value in values if checked else ():
            foreign += check_operand(machine, value, self.title, "", frame, node, node)
        entry = self.entry(callee, what, abstract=abstract, staged=staged)
        signature = signature_of(machine, callee)
        model = None if in_jax(self.path) else framework_transform(self.path)
        tracing = None if model is None else Tracing(model.transform, model.tracing, model.skip)
        arguments = tuple(
            lift_argument(
                self.machine,
                value,
                entry,
                origin_of_parameter(signature, signature.parameter(position), entry),
                tracing,
                drop_axis=0 if position in drop else None,
                carried=position == carried,
            )
            if lifted
            else value
            for position, value in enumerate(values)
        )
        self.lifted = arguments
        result = call_traced(machine, callee, Arguments(arguments), entry)
        refused = checked and not foreign
        if refused and check_result(machine, signature, result, frame, node, self.title):
            return UNKNOWN
        return result

    def lower(
        self,
        result: Value,
        *,
        axis: NewAxis | None = None,
        decided: Sequence[Value] = (),
        given: Sequence[Value] | None = None,
        keeps_cut: bool = True,
    ) -> Value:
        """Returns a result as the caller sees it, which depends also on what is `decided` by these
        values: which branch is taken, how often a loop runs. Where the callee is differentiated as
        it runs, its arguments were `given`: what it hands through comes out as it went in. A result
        with a derivative of zero `keeps_cut` where it is sure to come of the callee.
        """
        place, level = place_of_result(self.arguments.all_values(), self.frame)
        around = (tracer_around(value, self.frame.level) for value in decided)
        # Mapped, it decides for each element; no derivative goes that way.
        mapped = [each for each in around if each is not None and each.place is Place.ABSTRACT]
        lowerer = Lowerer(
            place,
            level,
            None,
            axis,
            keeps_cut=given is None and keeps_cut,
            outside=self.frame.level,
            staged=self.frame.staged_level,
            decided=max(mapped, key=lambda each: each.level, default=None),
            keeps_untraced=given is not None,
            unseen=None if given is not None else unseen_result(level, self.frame, self.node),
        )
        machine, frame, node = self.machine, self.frame, self.node
        handed = () if given is None else zip(self.lifted, given, strict=True)
        leaf = handing_through(machine, lowerer, handed, frame, node)
        return made_inside(machine, result, frame.level, frame, node, leaf)

    @property
    def title(self) -> str:
        """The operator in a label: `lax.scan`."""
        return declared_name(self.path)


def handed_through(
    lowered: Value, result: Value, lifted: Value, given: Value, unseen: Value
) -> Value:
    """A lowered result, but for the parts that are arguments of the callee: those come out as they
    went in, an `unseen` array where that is not known.
    """
    if result is lifted:
        return unseen if isinstance(given, Unknown) else given
    match lowered, result, lifted, given:
        case TupleValue(a), TupleValue(b), TupleValue(c), TupleValue(d):
            if a and b and c and d and len(a) == len(b) == len(c) == len(d):
                parts = map(handed_through, a, b, c, d, repeat(unseen))
                return TupleValue(tuple(parts), UNKNOWN, lowered.cls)
        case _:
            pass
    return lowered


def join_results(results: Sequence[Value]) -> Value:
    """Joins the results of functions of one type, leaf by leaf: what one depends on, the result
    does.
    """
    result = results[0] if results else UNKNOWN
    for other in results[1:]:
        result = depending(join(result, other), result, other)
    return result


def depending(joined: Value, first: Value, second: Value) -> Value:
    """A result, leaf by leaf, that depends on what either of two depends on."""
    match joined, first, second:
        case Array(), Array(), Array():
            below = [x.beneath for x in (first, second) if x.beneath is not None]
            return replace(joined, beneath=max(below, key=reach)) if below else joined
        case Constant() | Scalar(), Constant() | Scalar(), Array(beneath=Array()):
            aval = aval_of(joined)
            return joined if aval is None else replace(second, aval=aval)
        case (_, Constant() | Scalar() as number, Array(beneath=Array()) as array) | (
            _,
            Array(beneath=Array()) as array,
            Constant() | Scalar() as number,
        ):
            # The number becomes an array of the trace, and takes the other's type.
            return joined if aval_of(number) is None else CUT.put(RANGE.put(array, None), None)
        case TupleValue(a), TupleValue(b), TupleValue(c):
            if a and b and c and len(a) == len(b) == len(c):
                return TupleValue(tuple(map(depending, a, b, c)), UNKNOWN, joined.cls)
        case _:
            pass
    return joined


def pair_of(value: Value) -> tuple[Value, Value]:
    """The parts of a pair; Unknown where it is not one."""
    if isinstance(value, TupleValue) and value.elements is not None and len(value.elements) == 2:
        return value.elements[0], value.elements[1]
    return UNKNOWN, UNKNOWN
