"""What layers and pools of neural-network libraries make of the shape that they get."""

from typing import Final, Literal

from oakum.abstract.convolution import window_count
from oakum.values.avals import UNKNOWN_DIM, Dim, Shape
from oakum.values.records import dataclass

ShapeKind = Literal[
    "same",  # the shape of the argument
    "last",  # the size of its last axis is that of the layer
    "more",  # a last axis of that size is added
    "windows",  # windows go over the axes before the last one, which gets that size
    "pooled",  # so, and the last axis stays
]
Strides = tuple[int, ...]
Padding = str | tuple[tuple[int, int], ...] | None
"""As `lax` takes it; None where it is not known."""

_LIKE_SAME: Final = frozenset({"CIRCULAR", "REFLECT", "CAUSAL"})
"""Paddings of Flax with which a window of stride one goes to as many places as there are."""


@dataclass(frozen=True, slots=True)
class LayerShape:
    """What a layer makes of a shape; `width` is the size of the last axis, `window` that of a
    convolution or a pool, with how far it moves at once.
    """

    kind: ShapeKind
    width: Dim = UNKNOWN_DIM
    window: tuple[int, ...] = ()
    strides: Strides = ()
    padding: Padding = None


def shape_of_result(layer: LayerShape, shape: Shape) -> Shape | None:
    """Returns the shape of the result for that of the argument; None where it is not known.

    >>> shape_of_result(LayerShape("windows", 16, (3, 3), (2, 2), "SAME"), (8, 28, 28, 1))
    (8, 14, 14, 16)
    >>> shape_of_result(LayerShape("pooled", window=(2,), strides=(2,), padding="VALID"), (9, 3))
    (4, 3)
    >>> shape_of_result(LayerShape("last", 5), (8, 3)), shape_of_result(LayerShape("last", 5), ())
    ((8, 5), None)
    """
    match layer.kind:
        case "same":
            return shape
        case "more":
            return (*shape, layer.width)
        case "last":
            return (*shape[:-1], layer.width) if shape else None
        case "windows" | "pooled":
            count = len(layer.window)
            if len(shape) <= count:
                return None
            first, spaces, last = shape[: -1 - count], shape[-1 - count : -1], shape[-1]
            slid = (_slid(layer, axis, size) for axis, size in enumerate(spaces))
            return (*first, *slid, last if layer.kind == "pooled" else layer.width)


def _slid(layer: LayerShape, axis: int, size: Dim) -> Dim:
    """The number of places of the window along one axis."""
    match layer.padding:
        case None:
            return UNKNOWN_DIM
        case str() as name:
            padding: object = "SAME" if name in _LIKE_SAME else name
        case pairs:
            padding = pairs[axis]
    places = window_count(size, layer.window[axis], layer.strides[axis], padding)
    return UNKNOWN_DIM if isinstance(places, int) and places < 1 else places


Place = tuple[int, str]
"""Where an option stands in a call: its position, or -1, and its name."""


@dataclass(frozen=True, slots=True)
class ShapeRow:
    """The kind of a layer, and where it is made with what its shape depends on."""

    kind: ShapeKind
    width: Place | None = None
    window: Place | None = None
    strides: Place | None = None
    padding: Place | None = None
    default_padding: str = "SAME"
    dilations: tuple[str, ...] = ()
    """Options with which the number of places is another one."""


_DILATIONS: Final = ("input_dilation", "kernel_dilation")
_POOL: Final = ShapeRow(
    "pooled",
    window=(1, "window_shape"),
    strides=(2, "strides"),
    padding=(3, "padding"),
    default_padding="VALID",
)
_SAME: Final = {
    "flax.linen": "BatchNorm Dropout GroupNorm InstanceNorm LayerNorm PReLU RMSNorm",
    "flax.nnx": "BatchNorm Dropout GroupNorm InstanceNorm LayerNorm PReLU RMSNorm",
    "equinox.nn": "Dropout GroupNorm Identity LayerNorm PReLU RMSNorm",
    "haiku": "GroupNorm LayerNorm RMSNorm",
}
SHAPES: Final = {
    **{
        f"{package}.{name}": ShapeRow("same")
        for package, names in _SAME.items()
        for name in names.split()
    },
    "flax.linen.Dense": ShapeRow("last", (0, "features")),
    "flax.nnx.Linear": ShapeRow("last", (1, "out_features")),
    "haiku.Linear": ShapeRow("last", (0, "output_size")),
    "flax.linen.Embed": ShapeRow("more", (1, "features")),
    "flax.nnx.Embed": ShapeRow("more", (1, "features")),
    "equinox.nn.Embedding": ShapeRow("more", (1, "embedding_size")),
    "flax.linen.Conv": ShapeRow(
        "windows",
        width=(0, "features"),
        window=(1, "kernel_size"),
        strides=(2, "strides"),
        padding=(3, "padding"),
        dilations=_DILATIONS,
    ),
    "flax.nnx.Conv": ShapeRow(
        "windows",
        width=(1, "out_features"),
        window=(2, "kernel_size"),
        strides=(3, "strides"),
        padding=(-1, "padding"),
        dilations=_DILATIONS,
    ),
    "flax.linen.avg_pool": _POOL,
    "flax.linen.max_pool": _POOL,
    "flax.nnx.avg_pool": _POOL,
    "flax.nnx.max_pool": _POOL,
    "flax.nnx.min_pool": _POOL,
}
"""Layers and pools whose results have a shape that is known by what they are made with."""
