"""NaN that a selection masks: what is not selected is differentiated too, and zero times the
derivative of a product or a power of NaN is NaN.
"""

from collections.abc import Mapping, Sequence

from oakum.dtypes import Kind
from oakum.values.facts import Facts
from oakum_lint.analyses.gradients.data_names import names_in
from oakum_lint.analyses.gradients.edges import (
    EDGE,
    MAX_POLES,
    as_array,
    depends,
    is_differentiated,
)
from oakum_lint.analyses.gradients.singularities import NanGradient
from oakum_lint.domain.doubts import UNKNOWN_CALL
from oakum_lint.domain.facets import Facet
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Array, Constant, Origin, Scalar, Tree, Value
from oakum_lint.models.operations import NAN_TESTS
from oakum_lint.syntax import nodes

Factors = tuple[tuple[str, frozenset[str]], ...]
"""Functions whose derivative is NaN where one of some names is, with the names."""


class _TestFacet(Facet[frozenset[str]]):
    """Of which names a truth value says whether they are NaN."""

    __slots__ = ()

    def words(self, content: frozenset[str]) -> str:
        return f"says whether {' and '.join(sorted(content))} is NaN"

    def carried(self, values: Sequence[Value], frame: Frame, flat: bool) -> frozenset[str] | None:
        if any(isinstance(value, Array) and not _is_truth(value) for value in values):
            # What was selected by the test says nothing of it.
            return None
        found = (self.of(value) for value in values)
        return frozenset[str]().union(*(names for names in found if names))


def _is_truth(value: Array) -> bool:
    return value.aval.dtype is not None and value.aval.dtype.kind is Kind.BOOL


class _FactorFacet(Facet[Factors]):
    """What an array has been multiplied or raised by, where a derivative is taken."""

    __slots__ = ()

    def words(self, content: Factors) -> str:
        return f"has a derivative of NaN where {' or '.join(_names(content)) or 'a factor'} is"

    def carried(self, values: Sequence[Value], frame: Frame, flat: bool) -> Factors | None:
        if flat or not is_differentiated(frame):
            return None
        found = {factor: None for value in values for factor in self.of(value) or ()}
        return tuple(found)[:MAX_POLES] or None


def _names(factors: Factors) -> list[str]:
    return sorted(frozenset[str]().union(*(names for _, names in factors)))


_TEST = _TestFacet("test of NaN")
_FACTOR = _FactorFacet("factor of a derivative")


def _varies(value: Value, frame: Frame) -> bool:
    return isinstance(value, Array) and depends(value, frame)


def _mark_operation(
    _machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    result: Array,
    frame: Frame,
    node: nodes.Node,
) -> Array:
    """The result of a product, a quotient or a power, with what stands in its derivative."""
    if not isinstance(node, nodes.BinaryOperation) or not is_differentiated(frame):
        return result
    first, second = (left, node.left), (right, node.right)
    match operator:
        case "**" if isinstance(right, Constant) and right.value not in (0, 1):
            factors = [first] if _varies(left, frame) else []
        case "*":
            factors = [second] if _varies(left, frame) else []
            factors += [first] if _varies(right, frame) else []
        case "/":
            factors = [second] if _varies(left, frame) else []
            factors = [first, second] if _varies(right, frame) else factors
        case _:
            return result
    return _with_factors(result, operator, factors, frame)


def _with_factors(
    result: Array, function: str, factors: Sequence[tuple[Value, nodes.Node]], frame: Frame
) -> Array:
    """A result with what is in its derivative, unless a selection has made that clean."""
    dirty = [place for value, place in factors if _may_be_nan(value)]
    if not dirty:
        return result
    names = frozenset[str]().union(*(names_in(frame.text(place)) for place in dirty))
    return _FACTOR.put(result, ((function, names), *(_FACTOR.of(result) or ()))[:MAX_POLES])


def _may_be_nan(factor: Value) -> bool:
    edge = EDGE.of(factor)
    return not isinstance(factor, Constant | Scalar) and (edge is None or not edge.is_kept_off)


def _mark_call(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
    value: Array,
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> Array:
    """The result of a test of NaN, or of a square; reports a selection by such a test."""
    if declared.name in NAN_TESTS:
        asked = (names_in(frame.text(place)) for place in places.values())
        return _TEST.put(value, frozenset[str]().union(*asked))
    if declared.edge == "square" and is_differentiated(frame):
        squared = [(bound[name], places[name]) for name in bound if name in places]
        squared = [(operand, place) for operand, place in squared if _varies(operand, frame)]
        return _with_factors(value, spelled, squared, frame)
    if declared.edge == "selects" and frame.trace is not None and frame.trace.reversed:
        _check_selection(machine, bound, places, spelled, frame, node)
    return value


def _check_selection(
    machine: Machine,
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a branch that a test of NaN masks, and that is NaN in its derivative all the same."""
    condition, *branches = bound
    tested = _TEST.of(bound[condition])
    for name in branches if tested else ():
        factors = _factors_of(bound[name])
        branch = as_array(bound[name])
        if tested is None or not isinstance(branch, Array) or not depends(branch, frame):
            continue
        edge, place = EDGE.of(branch), places.get(name)
        itself = isinstance(place, nodes.Name) and place.identifier in tested
        quotients = tuple(factor for factor in factors if factor[0] == "/")
        poles = (*(edge.poles if edge is not None else ()), *quotients)
        if itself and poles:
            function, _ = poles[0]
            machine.emit(NanGradient, frame, node, branch, function=function, hidden=spelled)
            return
        for function, names in factors:
            common = tuple(sorted(names & tested))
            if common:
                details = {"function": function, "names": common, "masked": True}
                machine.emit(NanGradient, frame, node, branch, **details)
                return


def _factors_of(branch: Value) -> Factors:
    """What stands in the derivative of a branch; in that of what is not seen, `dist.log_prob(x)`,
    all that it gets: it is a product of that, but where it adds or moves something alone.
    """
    match branch:
        case Tree(origin=Origin(doubt=doubt) as origin) if doubt == UNKNOWN_CALL:
            text = origin.unit.part(origin.start, origin.end)
            return ((text.partition("(")[0], names_in(text)),)
        case _:
            return _FACTOR.of(branch) or ()


GUEST = Guest(
    "masked_nan",
    Moments(public_result=(_mark_call,), operated=(_mark_operation,)),
    after=("singularities",),
)
