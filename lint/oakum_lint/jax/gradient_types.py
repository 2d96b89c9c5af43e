"""Whether what is differentiated can be: real arguments, and one real number as the result."""

from oakum.dtypes import Kind
from oakum.values.avals import ShapedArray
from oakum_lint.arrays.pytrees import leaves_of
from oakum_lint.arrays.trace_boundary import scalar_aval
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Transformed
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import content_of
from oakum_lint.domain.values import (
    FALSE,
    NONE,
    Array,
    Choice,
    Constant,
    HeapObject,
    Items,
    Scalar,
    TupleValue,
    Value,
)
from oakum_lint.jax.non_pytree_values import foreign_leaf
from oakum_lint.models.dtypes import PLAIN_KINDS
from oakum_lint.models.transforms import BY_REAL_INPUTS, OF_REAL_RESULTS, SCALAR_GRADIENTS
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes


def check_inputs(
    machine: Machine,
    function: Transformed,
    numbers: tuple[int, ...] | None,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> bool:
    """Reports an argument of integers that a gradient is taken by; whether there was one."""
    allowed = function.option("allow_int") in (None, FALSE)
    if function.name not in BY_REAL_INPUTS or numbers is None or not allowed:
        return False
    for number in numbers:
        position = number if number >= 0 else number + len(arguments.positional)
        value = arguments.get(position)
        if value is None:
            continue
        foreign = foreign_leaf(machine, value, frame, node)
        if foreign is not None:
            place = arguments.place(position, "", node)
            return _emit(machine, function, "input", foreign[1], frame, node, foreign[0], place)
        for leaf in leaves_of(machine, value, frame, node)[0]:
            aval = aval_of(leaf)
            if aval is None or aval.dtype is None or aval.dtype.kind not in PLAIN_KINDS:
                continue
            place = arguments.place(position, "", node)
            found = str(aval).removeprefix("~")
            return _emit(machine, function, "input", found, frame, node, leaf, place)
    return False


def check_output(
    machine: Machine, function: Transformed, result: Value, frame: Frame, node: nodes.Node
) -> bool:
    """Reports a result that has no gradient; whether it is one."""
    if function.name not in OF_REAL_RESULTS or not isinstance(node, nodes.Call):
        return False
    has_aux = function.option("has_aux")
    if has_aux == Constant(True):
        other = _no_pair(machine, result)
        if other:
            return _emit(machine, function, "aux", other, frame, node)
        pair = result.elements if isinstance(result, TupleValue) else None
        if pair is None or len(pair) != 2:
            return False
        result = pair[0]
    elif has_aux not in (None, FALSE, NONE):
        return False
    if function.name in SCALAR_GRADIENTS:
        kind, aval = _container(result), aval_of(result)
        if kind:
            return _emit(machine, function, "tree", kind, frame, node)
        if aval is not None and aval.shape:
            return _emit(machine, function, "shape", str(aval), frame, node)
    return _check_dtypes(machine, function, result, frame, node)


def _check_dtypes(
    machine: Machine, function: Transformed, result: Value, frame: Frame, node: nodes.Node
) -> bool:
    holomorphic = function.option("holomorphic") not in (None, FALSE)
    wrong = PLAIN_KINDS if holomorphic else (*PLAIN_KINDS, Kind.COMPLEX)
    for leaf in leaves_of(machine, result, frame, node)[0]:
        aval = aval_of(leaf)
        if aval is not None and aval.dtype is not None and aval.dtype.kind in wrong:
            found = str(aval).removeprefix("~")
            return _emit(machine, function, "dtype", found, frame, node)
    return False


def _no_pair(machine: Machine, result: Value) -> str:
    """Describes a result that is certainly no pair; "" where it may be one."""
    aval = aval_of(result)
    if aval is not None:
        return str(aval)
    match result:
        case HeapObject(kind="dict") | Constant(None):
            return _container(result) or "None"
        case TupleValue(elements) if elements is not None and len(elements) != 2:
            return f"a tuple of {len(elements)}"
        case HeapObject(kind="list"):
            elements = content_of(machine, result).elements
            return "" if elements is None or len(elements) == 2 else f"a list of {len(elements)}"
        case _:
            return ""


def _container(value: Value) -> str:
    match value:
        case TupleValue():
            return "a tuple"
        case Items() | HeapObject(kind="list"):
            return "a list"
        case HeapObject(kind="dict"):
            return "a dict"
        case _:
            return ""


def aval_of(value: Value) -> ShapedArray | None:
    """The aval of an array or a Python number; None of anything else."""
    match value:
        case Array(aval):
            return aval
        case Constant(bool() | int() | float() | complex() as number):
            return scalar_aval(number)
        case Scalar("bool" | "int" | "float" | "complex" as kind):
            return scalar_aval({"bool": True, "int": 1, "float": 1.0, "complex": 1j}[kind])
        case Choice(options):
            # A rule gets a number of Python, or the array that was made of it.
            found = {aval_of(each) for each in options}
            return found.pop() if len(found) == 1 else None
        case _:
            return None


def _emit(
    machine: Machine,
    function: Transformed,
    problem: str,
    found: str,
    frame: Frame,
    node: nodes.Node,
    value: Value = NONE,
    place: nodes.Node | None = None,
) -> bool:
    machine.emit(
        events.GradientType,
        frame,
        node,
        value,
        place or node,
        transform=function.name.rpartition(".")[2],
        function=signature_of(machine, function.function).name,
        problem=problem,
        found=found,
    )
    return True
