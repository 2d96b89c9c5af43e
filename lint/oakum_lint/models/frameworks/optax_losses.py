"""The shapes and dtypes of optax's losses, by families.

Each row names losses, then the arguments that their shape comes from, in positional order, and the
family of the result; further arguments are taken for single numbers. What is not in the table has
a shape that depends on more than these.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.reduction import reduced_shape
from oakum.dtypes import DType
from oakum.values import dims
from oakum.values.avals import UNKNOWN, UNKNOWN_DIM, Shape, ShapedArray
from oakum.values.records import dataclass

LOSS_SHAPES = """\
l2_loss squared_error: predictions targets -> alike
hinge_loss: predictor_outputs targets -> broadcast
perceptron_loss: predictor_outputs targets -> alike
huber_loss: predictions targets delta -> broadcast
log_cosh: predictions targets -> broadcast
sigmoid_binary_cross_entropy sparsemax_loss: logits labels -> broadcast
sigmoid_focal_loss: logits labels alpha gamma -> broadcast
safe_softmax_cross_entropy: logits labels -> reduced
softmax_cross_entropy: logits labels axis -> reduced
poly_loss_cross_entropy: logits labels axis -> reduced
convex_kl_divergence generalized_kl_divergence kl_divergence: log_predictions targets axis
    -> reduced
kl_divergence_with_log_targets: log_predictions log_targets axis -> reduced
cosine_distance cosine_similarity: predictions targets axis -> reduced
softmax_cross_entropy_with_integer_labels: logits labels axis -> chosen
ctc_loss: logits logit_paddings labels label_paddings -> rows
ntxent: embeddings labels -> scalar
ranking_softmax_loss: logits labels -> scalar
"""

LAST = -1


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss, by the arguments from which its shape comes, and how."""

    operands: tuple[str, ...]
    family: str

    def aval(self, passed: Mapping[str, Any]) -> ShapedArray:
        """The result for the arguments that are passed, as the engine's rules take them; a
        `ShapeError` where no completion of it fits.

        >>> from oakum.values.avals import parse_aval
        >>> logits, labels = parse_aval("f32[8,3]"), parse_aval("i32[8]")
        >>> loss = loss_of("optax.softmax_cross_entropy_with_integer_labels")
        >>> print(loss.aval({"logits": logits, "labels": labels}))
        f32[8]
        >>> print(loss.aval({"logits": UNKNOWN, "labels": labels}))
        ?[8]
        """
        axis = passed.get("axis", LAST)
        names = [name for name in self.operands if name != "axis" and passed.get(name) is not None]
        arrays = [operands.array(passed[name]) for name in names]
        if any(not _is_number(passed[name]) for name in passed if name not in self.operands):
            return ShapedArray(None, None, None)
        # A loss of sequences computes in a dtype of its own.
        dtype = None if self.family == "rows" else _dtype(arrays)
        return ShapedArray(FAMILIES[self.family](arrays, axis), dtype, None)


def _is_number(value: Any) -> bool:
    """Whether an argument is certainly one number, or left at its default of None."""
    if value is None:
        return True
    return value is not UNKNOWN and operands.array(value).shape == ()


def _dtype(arrays: Sequence[ShapedArray]) -> DType | None:
    """The floating dtype of the first, if no other has another one: there losses differ."""
    first = arrays[0].dtype if arrays else None
    if first is None or first.kind is not dtypes.Kind.FLOAT:
        return None
    for array in arrays:
        other = array.dtype
        differs = other is None or (other.kind is first.kind and array.weak_type is not True)
        if differs and other is not first:
            return None
    return None if arrays[0].weak_type is not False else first


def _alike(arrays: Sequence[ShapedArray], axis: Any) -> Shape | None:
    """Returns the one shape of all arrays, which is known if that of one of them is."""
    operands.broadcast_shapes(arrays)
    for array in arrays:
        if array.shape is not None and all(isinstance(size, int) for size in array.shape):
            return array.shape
    return operands.broadcast_shapes(arrays)


def _broadcast(arrays: Sequence[ShapedArray], axis: Any) -> Shape | None:
    return operands.broadcast_shapes(arrays)


def _reduced(arrays: Sequence[ShapedArray], axis: Any) -> Shape | None:
    ranks = {len(array.shape) for array in arrays if array.shape is not None}
    if len(ranks) > 1 and not (isinstance(axis, int) and axis < 0):
        return None
    shape = operands.broadcast_shapes(arrays)
    return None if shape is None else reduced_shape(ShapedArray(shape, None), axis)


def _chosen(arrays: Sequence[ShapedArray], axis: Any) -> Shape | None:
    """One of the numbers along the axis is chosen by each label."""
    if not isinstance(axis, int) or len(arrays) != 2:
        return None
    logits, labels = arrays
    rest = None if logits.shape is None else reduced_shape(logits, axis)
    if rest is not None:
        return _paired(rest, labels)
    return None if labels.shape is None else _batched(labels.shape)


def _batched(shape: Shape) -> Shape:
    """A single one may stand for all of a batch on the other side."""
    return tuple(UNKNOWN_DIM if size == 1 else size for size in shape)


def _paired(rest: Shape, labels: ShapedArray) -> Shape | None:
    if labels.shape is None:
        return _batched(rest)
    return operands.broadcast_shapes([ShapedArray(rest, None), labels])


def _rows(arrays: Sequence[ShapedArray], axis: Any) -> Shape | None:
    size: dims.Dim = UNKNOWN_DIM
    for array in arrays:
        if array.shape and isinstance(array.shape[0], int):
            size = array.shape[0]
    return (size,)


def _scalar(arrays: Sequence[ShapedArray], axis: Any) -> Shape | None:
    return ()


FAMILIES: Mapping[str, Callable[[Sequence[ShapedArray], Any], Shape | None]] = {
    "alike": _alike,
    "broadcast": _broadcast,
    "reduced": _reduced,
    "chosen": _chosen,
    "rows": _rows,
    "scalar": _scalar,
}
"""How the shape comes from those of the operands and the axis."""


def loss_of(path: str) -> Loss | None:
    """The row of a loss by its dotted name; None where its shape is not known.

    >>> loss_of("optax.losses.l2_loss") == loss_of("optax.l2_loss"), loss_of("optax.adam")
    (True, None)
    """
    package, _, name = path.rpartition(".")
    return _losses().get(name) if package in ("optax", "optax.losses") else None


def losses() -> Iterable[str]:
    """The names of the losses whose shapes are known."""
    return _losses()


@cache
def _losses() -> Mapping[str, Loss]:
    return dict(_read(LOSS_SHAPES))


def _read(text: str) -> Iterator[tuple[str, Loss]]:
    for line in text.replace("\n    ", " ").splitlines():
        names, _, facts = line.partition(":")
        parameters, _, family = facts.partition("->")
        for name in names.split():
            yield name, Loss(tuple(parameters.split()), family.strip())
