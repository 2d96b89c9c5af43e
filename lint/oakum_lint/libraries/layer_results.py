"""The shapes of what layers and pools of libraries return, by what they are made with."""

from oakum.values.avals import UNKNOWN_DIM, Dim, ShapedArray
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import NONE, UNKNOWN, Array, Constant, Items, TupleValue, Value
from oakum_lint.jax.public_calls import content_value
from oakum_lint.jax.static_arguments import known_integers
from oakum_lint.models.frameworks.layer_shapes import (
    SHAPES,
    LayerShape,
    Padding,
    ShapeRow,
    shape_of_result,
)


def shape_made(machine: Machine, path: str, arguments: Arguments) -> LayerShape | None:
    """What a layer or a pool makes of shapes, as far as the arguments that it is made with say it;
    None where that is not known.
    """
    row = SHAPES.get(path)
    if row is None or not arguments.complete:
        return None
    width: Dim = UNKNOWN_DIM
    match None if row.width is None else arguments.get(*row.width):
        case Constant(int() as size) if not isinstance(size, bool):
            width = size
        case _:
            pass
    if row.window is None:
        return LayerShape(row.kind, width)
    window = _sizes(content_value(machine, arguments.get(*row.window) or UNKNOWN), 1)
    strides = None if window is None else _strides(machine, row, arguments, len(window))
    if window is None or strides is None:
        return None
    dilated = any(arguments.get(-1, name) not in (None, NONE) for name in row.dilations)
    padding = None if dilated else _padding(machine, row, arguments, len(window))
    return LayerShape(row.kind, width, window, strides, padding)


def result_of(layer: LayerShape | None, argument: Value | None) -> ShapedArray | None:
    """The result of a layer for its argument, as far as it is known. Its dtype depends on that of
    its parameters.
    """
    if layer is None or not isinstance(argument, Array) or argument.aval.shape is None:
        return None
    shape = shape_of_result(layer, argument.aval.shape)
    return None if shape is None else ShapedArray(shape, None, False)


def _sizes(value: Value | None, count: int) -> tuple[int, ...] | None:
    """The sizes that an option names, one for each axis; one integer stands for all."""
    sizes = known_integers(value)
    return sizes * count if sizes and isinstance(value, Constant) else sizes


def _strides(
    machine: Machine, row: ShapeRow, arguments: Arguments, count: int
) -> tuple[int, ...] | None:
    """How far a window moves along each axis."""
    value = (None if row.strides is None else arguments.get(*row.strides)) or NONE
    strides = (1,) * count if value == NONE else _sizes(content_value(machine, value), count)
    fits = strides is not None and len(strides) == count and all(step > 0 for step in strides)
    return strides if fits else None


def _padding(machine: Machine, row: ShapeRow, arguments: Arguments, count: int) -> Padding:
    """How the axes are padded, as `lax` takes it."""
    value = None if row.padding is None else arguments.get(*row.padding)
    match None if value is None else content_value(machine, value):
        case None:
            return row.default_padding
        case Constant(str() as name):
            return name
        case Constant(int() as size):
            return ((size, size),) * count
        case TupleValue(tuple(elements)) | Items(tuple(elements)) if len(elements) == count:
            pairs = [_pair(known_integers(each)) for each in elements]
            known = tuple(pair for pair in pairs if pair is not None)
            return known if len(known) == count else None
        case _:
            return None


def _pair(sizes: tuple[int, ...] | None) -> tuple[int, int] | None:
    """How much an axis is padded before and behind: one size stands for both."""
    match sizes:
        case (both,):
            return both, both
        case (before, behind):
            return before, behind
        case _:
            return None
