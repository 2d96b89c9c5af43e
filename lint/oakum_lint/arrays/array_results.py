"""Results of array operations: which place and trace they belong to, and their avals by the
engine's rules.
"""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from oakum import dtypes
from oakum.abstract import operators as abstract
from oakum.errors import elided
from oakum.values import avals, declarations
from oakum.values.avals import ConcreteArray, PythonScalar, ShapedArray
from oakum.values.facts import Facts
from oakum.values.records import replace
from oakum_lint.arrays.enums import EnumMember
from oakum_lint.arrays.known_spellings import has_known_arguments
from oakum_lint.arrays.shape_errors import Placed, answer
from oakum_lint.arrays.zero_derivatives import CUT, differentiated_level, find_cut, independence
from oakum_lint.domain.callables import Method
from oakum_lint.domain.doubts import ARRAY_OF_CALL, PERHAPS_NOT_JAX, UNKNOWN_CALL, UNKNOWN_OPERAND
from oakum_lint.domain.facets import carried
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of
from oakum_lint.domain.reporting import SOURCE_TEXT_LIMIT
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Choice,
    Constant,
    DTypeValue,
    Entries,
    External,
    Items,
    Origin,
    Place,
    Scalar,
    SliceValue,
    Tree,
    TupleValue,
    Unknown,
    Value,
    is_tracer,
)
from oakum_lint.models.dtypes import NUMPY_DEFAULTS, PLAIN_KINDS, dtype_name
from oakum_lint.syntax import nodes

UNKNOWN_ARRAY = ShapedArray(None, None, None)


_HOLDERS = frozenset({TupleValue, Items, Choice, SliceValue, Entries})


def operands(values: Iterable[Value]) -> list[Value]:
    """The values and, of tuples, their elements."""
    stack = list(values)
    if _HOLDERS.isdisjoint(map(type, stack)):
        stack.reverse()
        return stack
    found: list[Value] = []
    while stack:
        value = stack.pop()
        if value.__class__ not in _HOLDERS:
            found.append(value)
            continue
        match value:
            case TupleValue(elements) | Items(elements):
                stack.extend(elements if elements is not None else (element_of(value),))
            case Choice(options):
                stack.extend(map(perhaps, options))
            case SliceValue(lower, upper, step):
                stack.extend((lower, upper, step))
            case Entries(known, rest):
                stack.extend(item for _, item in known)
                if rest is not None:
                    stack.append(rest)
            case _:
                pass
    return found


def perhaps(value: Value) -> Value:
    """Returns one of several values: that it is a tracer need not be so on every run."""
    if not isinstance(value, Array | Tree) or value.origin is None:
        return value
    return replace(
        value, origin=replace(value.origin, doubt="it is one of several values that there may be")
    )


def may_be_number(value: Array | Tree) -> bool:
    """Whether it is only taken for traced as tracers go into the call that makes it."""
    return value.origin is not None and value.origin.doubt == UNKNOWN_CALL


def is_unseen(value: Value) -> bool:
    """Whether nothing is known of a value, or only that tracers go into the call that makes it."""
    unknown = isinstance(value, Unknown | External)
    return unknown or (isinstance(value, Tree) and may_be_number(value))


def with_unknown(tree: Tree, frame: Frame, node: nodes.Node) -> Origin:
    """The origin of what an operator makes of a traced tree and what is not known."""
    doubt = tree.origin.doubt if tree.origin is not None else ""
    return replace(origin_of(node, frame), doubt=doubt or UNKNOWN_OPERAND)


def as_array(value: Array | Tree) -> Array:
    """What is traced and known to be an array."""
    origin = value.origin
    if origin is not None and may_be_number(value):
        origin = replace(origin, doubt=ARRAY_OF_CALL)
    if isinstance(value, Array):
        return value if origin is value.origin else replace(value, origin=origin)
    return Array(UNKNOWN_ARRAY, value.place, value.level, origin)


def place_of_result(values: Iterable[Value], frame: Frame) -> tuple[Place, int]:
    """Where the result of a JAX operation on these values lives, and the level of its trace.

    In a staged trace every operation is staged, on constants too; elsewhere an operation belongs to
    the innermost trace of its operands. What a generator computes belongs to the trace in which it
    is advanced.
    """
    level = frame.staged_level
    outside = Place.DEVICE if frame.flow.generator is None else Place.ANY
    place = Place.ABSTRACT if level else outside
    uncertain = False
    for value in operands(values):
        match value:
            case Array(_, operand_place, operand_level) | Tree(operand_place, operand_level):
                level = max(level, operand_level)
                if operand_place is Place.ABSTRACT:
                    place = Place.ABSTRACT
                elif operand_place is Place.CONCRETE and place is not Place.ABSTRACT:
                    place = Place.CONCRETE
                elif operand_place is Place.ANY:
                    uncertain = True
            case Unknown() | Method():
                # An attribute of a library's object counts as a method until it is an operand.
                uncertain = True
            case _:
                pass
    if uncertain and place is not Place.ABSTRACT:
        # Not known to be concrete: the unknown operand may be an abstract tracer.
        return (Place.CONCRETE, level) if place is Place.CONCRETE else (Place.ANY, level)
    return place, level


def origin_of(node: nodes.Node, frame: Frame) -> Origin:
    """The provenance of a value made by a call or operator."""
    text = elided(frame.text(node), SOURCE_TEXT_LIMIT)
    return Origin(frame.module, frame.unit, node.start, node.end, f"the value comes from `{text}`")


def new_array(
    aval: ShapedArray | None,
    values: Iterable[Value],
    frame: Frame,
    node: nodes.Node | None,
    *,
    stages: bool = True,
    flat: bool = False,
    at: nodes.Node | None = None,
) -> Array:
    """Returns the array that a JAX operation on `values` makes in this frame.

    `stages`: the operation makes a tracer in a staged trace, whatever its operands are. `flat`: its
    derivative is zero. `at`: where it stands, if `node` is not to be its origin.
    """
    values = tuple(values)
    aval = _bounded(aval)
    cut = find_cut(aval, values, frame, at or node, flat)
    place, level = place_of_result(values, frame)
    dtype = None if aval is None else aval.dtype
    if level > frame.staged_level and _differentiates(frame, level):
        plain = dtype is not None and dtype.kind in PLAIN_KINDS
        if (
            flat
            or plain
            or (cut is not None and frame.trace and level >= frame.trace.differentiated)
        ):
            # Only what has a derivative is a tracer there: a comparison makes what it would around.
            around = _beneath(values, level)
            if around is None:
                place, level = place_of_result((), frame)
            else:
                place, level = around.place, around.level
    origin: Origin | None = None
    if place in (Place.ABSTRACT, Place.CONCRETE):
        origins = [
            value.origin
            for value in operands(values)
            if isinstance(value, Array | Tree) and value.level == level and value.origin
        ]
        # One certain tracer makes the result one, and one argument of the trace what it depends on.
        origins.sort(key=lambda candidate: (bool(candidate.doubt), candidate.computed))
        origin = origins[0] if origins else None
        known = all(map(_is_known, operands(values)))
        if origin is not None and origin.computed and not known:
            origin = replace(origin, computed=False)
        if stages and _is_of_jax(origin) and frame.staged_level == level:
            origin = None
        doubt = "" if origin is not None else _doubt_around(values)
        if origin is None and node is None and not doubt:
            origin = _origin_around(values)
        maker = at if node is None and doubt else node
        if origin is None and maker is not None:
            origin = replace(
                origin_of(maker, frame), computed=known or has_known_arguments(maker), doubt=doubt
            )
    beneath = _beneath(values, level) if level > 1 else None
    known_facets = carried(values, frame, flat)
    made = Array(aval or UNKNOWN_ARRAY, place, level, origin, 0, beneath, known_facets)
    if is_tracer(made) and (apart := independence(values, differentiated_level(frame))):
        made = replace(made, apart=apart)
    return made if cut is None else CUT.put(made, cut)


def _origin_around(values: Iterable[Value]) -> Origin | None:
    """Where a tracer of a trace around comes from that an operator takes, if it surely is one."""
    around = [v.origin for v in operands(values) if isinstance(v, Array) and is_tracer(v)]
    sure = [origin for origin in around if origin is not None and not origin.doubt]
    return replace(sure[0], computed=False) if sure else None


def _doubt_around(values: Iterable[Value]) -> str:
    """Why what a trace makes of values from around it may be no tracer, if none is for certain."""
    traced = [value for value in operands(values) if isinstance(value, Array | Tree)]
    doubts = {value.origin.doubt if value.origin is not None else "" for value in traced}
    return min(doubts) if doubts and doubts <= PERHAPS_NOT_JAX else ""


def _is_of_jax(origin: Origin | None) -> bool:
    """Whether what is doubted of an operand is only that it is a tracer."""
    return origin is not None and bool(origin.doubt) and origin.doubt not in PERHAPS_NOT_JAX


def _bounded(aval: ShapedArray | None) -> ShapedArray | None:
    """An aval without sizes that no memory holds: products of them have any number of digits."""
    if aval is None or aval.shape is None:
        return aval
    if not any(isinstance(dim, int) and dim > LARGEST_SIZE for dim in aval.shape):
        return aval
    shape = tuple(
        avals.UNKNOWN_DIM if isinstance(dim, int) and dim > LARGEST_SIZE else dim
        for dim in aval.shape
    )
    return replace(aval, shape=shape)


LARGEST_SIZE = 1 << 62


def _differentiates(frame: Frame, level: int) -> bool:
    """Whether the trace of a level is one that differentiates as it runs."""
    trace = frame.trace
    while trace is not None and trace.level > level:
        trace = trace.parent
    return trace is not None and trace.level == level and trace.differentiates


def _beneath(values: Iterable[Value], level: int) -> Array | None:
    """Returns the outer tracer on which a result still depends when its own trace has ended, as
    `as_beneath` keeps it.
    """
    found: Array | None = None
    others: list[Array] = []
    for value in operands(values):
        if isinstance(value, Tree) and is_tracer(value):
            value = Array(UNKNOWN_ARRAY, value.place, value.level, value.origin)
        if isinstance(value, Array):
            below = value if value.level < level else value.beneath
            if below is None or not is_tracer(below) or CUT.of(below) is not None:
                continue
            others.append(below)
            if found is None or reach(found) < reach(below):
                found = below
    if found is None:
        return None
    return as_beneath(found) if level == 2 or len(others) == 1 else _of_each_level(found, others)


def _of_each_level(found: Array, others: Iterable[Array]) -> Array:
    """Returns what is kept of a tracer, with those around it on which only another one depends, or
    by which only another one has a derivative.
    """
    around, more = _by_level(found), False
    for other in others:
        for level, tracer in _by_level(other).items():
            known = around.get(level)
            if known is None or (CUT.of(known) is not None and CUT.of(tracer) is None):
                around[level], more = tracer, True
    if not more:
        return as_beneath(found)
    made: Array | None = None
    for _, tracer in sorted(around.items(), key=lambda item: item[0]):
        made = as_beneath(replace(tracer, beneath=made))
    return found if made is None else made


def _by_level(tracer: Array) -> dict[int, Array]:
    """A tracer and those around it that it depends on, by the levels of their traces."""
    found: dict[int, Array] = {}
    around: Array | None = tracer
    while around is not None:
        found[around.level] = around
        around = around.beneath
    return found


def as_beneath(tracer: Array) -> Array:
    """Returns what is kept of a tracer on which another one depends: without its shape and dtype,
    and which array it is, all of which would make different calls of those that do the same.
    """
    if tracer.aval is UNKNOWN_ARRAY and not tracer.facets and not tracer.apart:
        return tracer
    kept = Array(UNKNOWN_ARRAY, tracer.place, tracer.level, tracer.origin, beneath=tracer.beneath)
    return CUT.put(kept, CUT.of(tracer)) if tracer.facets else kept


def reach(tracer: Array) -> tuple[int, int]:
    """The level of a tracer, and of the one around it that it depends on too: of two of one level,
    one may depend on nothing around.
    """
    return tracer.level, 0 if tracer.beneath is None else tracer.beneath.level


def _is_known(value: Value) -> bool:
    """Whether tracing knows an operand, or it comes from such ones by operations of JAX."""
    match value:
        case Constant() | Scalar() | DTypeValue() | External():
            return True
        case Array(place=Place.HOST | Place.DEVICE):
            return True
        case Array(origin=Origin(computed=computed)):
            return computed
        case _:
            return False


def to_abstract(value: Value) -> Any:
    """A value as the engine's abstract rules take it."""
    match value:
        case Constant(EnumMember()):
            return avals.UNKNOWN
        case Constant(known):
            return known
        case Scalar("int" | "float" | "bool" | "complex" | "str" as kind):
            return PythonScalar(kind)
        case Array(aval, Place.HOST) if aval.dtype is not None:
            # NumPy's wide arrays are narrow ones for JAX.
            return replace(aval, dtype=dtypes.canonicalize(aval.dtype))
        case Array(aval):
            return aval
        case Tree():
            return avals.UNKNOWN
        case TupleValue() | Items() | Entries() | SliceValue() | Choice():
            return _several_to_abstract(value)
        case DTypeValue(name) if name is not None:
            return name
        case External(path):
            name = dtype_name(path)
            return avals.UNKNOWN if name is None else name
        case _:
            return avals.UNKNOWN


def _several_to_abstract(value: TupleValue | Items | Entries | SliceValue | Choice) -> Any:
    match value:
        case Choice((Scalar("float" | "complex"), Array(aval))) if (
            aval.weak_type and aval.shape == ()
        ):
            # A number of Python, or the array that was made of it: JAX takes both alike.
            return aval
        case TupleValue(elements) if elements is not None:
            return tuple(to_abstract(element) for element in elements)
        case Items(elements) if elements is not None:
            return [to_abstract(element) for element in elements]
        case Entries(known, None):
            return {key: to_abstract(item) for key, item in known}
        case SliceValue(lower, upper, step):
            return slice(to_abstract(lower), to_abstract(upper), to_abstract(step))
        case _:
            return avals.UNKNOWN


def from_abstract(
    result: Any,
    values: Iterable[Value],
    frame: Frame,
    node: nodes.Node | None,
    *,
    flat: bool = False,
) -> Value:
    """The value for what an abstract rule answered."""
    values = tuple(values)
    match result:
        case ConcreteArray() | ShapedArray():
            return new_array(result, values, frame, node, flat=flat)
        case PythonScalar(kind):
            return Scalar(kind)
        case tuple() | list():
            items = cast("Sequence[Any]", result)
            return TupleValue(tuple(from_abstract(item, values, frame, node) for item in items))
        case None | bool() | int() | float() | complex() | str() | bytes():
            return Constant(result)
        case avals.SymbolicDim() | avals.UnknownDim():
            return Scalar("int")
        case _:
            return UNKNOWN


def are_default(values: Iterable[Value]) -> bool:
    """Whether all arrays among some values have a dtype that NumPy makes of Python's numbers."""
    return all(
        not isinstance(value, Array) or value.aval.dtype in NUMPY_DEFAULTS
        for value in operands(values)
    )


def operator_result(operator: str, left: Value, right: Value) -> Any:
    """Asks the engine's rule for an operator on arrays, or for a comparison of them."""
    rule = abstract.compare if operator in COMPARISONS else abstract.binary
    return rule(operator, to_abstract(left), to_abstract(right))


COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
BOOLEANS = ShapedArray(None, dtypes.bool_)
"""What arrays give when they are compared, whatever they hold."""


def operated(
    machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    frame: Frame,
    node: nodes.Node | None,
    at: nodes.Node,
) -> Array:
    """Returns the result of an operator on JAX arrays; it stands at `at`, and `node`, if there is
    one, is the origin of the result.
    """
    result = answer(
        machine,
        lambda: operator_result(operator, left, right),
        operator,
        operator_places(left, right, at),
        frame,
        at,
    )
    unknown = BOOLEANS if operator in COMPARISONS else None
    aval = result if isinstance(result, ShapedArray) else unknown
    flat = operator == "//"
    return new_array(aval, (left, right), frame, node, stages=False, flat=flat, at=at)


def operator_places(left: Value, right: Value, node: nodes.Node) -> list[Placed]:
    """The operands of an operator with their places, as far as those are known."""
    match node:
        case nodes.BinaryOperation():
            return [(left, node.left), (right, node.right)]
        case nodes.Comparison(comparators=(other,)):
            return [(left, node.left), (right, other)]
        case _:
            return [(left, None), (right, None)]


def operated_alone(
    machine: Machine, operator: str, operand: Array, frame: Frame, node: nodes.UnaryOperation
) -> Array:
    """Returns the result of `-`, `+` or `~` on a JAX array."""
    passed = ((operand, node.operand),)
    result = answer(
        machine,
        lambda: abstract.unary(operator, operand.aval),
        operator,
        passed,
        frame,
        node,
    )
    return new_array(
        result if isinstance(result, ShapedArray) else UNKNOWN_ARRAY, (operand,), frame, node
    )


def is_whole(array: Value, mask: Array) -> bool | None:
    """Whether a mask has as many dimensions as an array; None where one is not known."""
    if not isinstance(array, Array) or array.aval.ndim is None or mask.aval.ndim is None:
        return None
    return array.aval.ndim == mask.aval.ndim


def array_method(name: str) -> Facts | None:
    """The engine's declaration of a method of arrays."""
    return declarations.find(f"Array.{name}")
