"""Options of operations: precisions, modes, algorithms, and the meaning of axes."""

import enum
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from oakum.tracing.parameter_forms import register
from oakum.values.records import dataclass


@register
class AccuracyMode(enum.Enum):
    """The accuracy of elementwise functions."""

    HIGHEST = 1
    DEFAULT = 2


@register
class Precision(enum.Enum):
    """The precision of contractions and convolutions."""

    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2

    @classmethod
    def _missing_(cls, value: object) -> "Precision | None":
        return PRECISIONS.get(value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __str__(self) -> str:
        return self.name


PRECISIONS: Final[dict[object, Precision]] = {
    "highest": Precision.HIGHEST,
    "float32": Precision.HIGHEST,
    "high": Precision.HIGH,
    "bfloat16_3x": Precision.HIGH,
    "tensorfloat32": Precision.HIGH,
    "default": Precision.DEFAULT,
    "bfloat16": Precision.DEFAULT,
    "fastest": Precision.DEFAULT,
    None: Precision.DEFAULT,
}
"""The precisions by their names."""


@register
class EigImplementation(enum.Enum):
    """Libraries that find the eigenvalues of general matrices; the engine has one way."""

    CUSOLVER = "cusolver"
    MAGMA = "magma"
    LAPACK = "lapack"


@register
class EighImplementation(enum.Enum):
    """Algorithms for the eigenvalues of symmetric matrices; the engine has one."""

    QR = "qr"
    JACOBI = "jacobi"
    QDWH = "qdwh"


@register
class SvdAlgorithm(enum.Enum):
    """Algorithms for singular values; the engine has one."""

    DEFAULT = "default"
    QR = "QR"
    JACOBI = "Jacobi"
    POLAR = "polar"
    DIVIDE_AND_CONQUER = "divide_and_conquer"


@register
class FftType(enum.IntEnum):
    """Kinds of Fourier transforms."""

    FFT = 0
    IFFT = 1
    RFFT = 2
    IRFFT = 3


@register
class GatherScatterMode(enum.Enum):
    """The treatment of indices out of bounds by gathers and scatters."""

    CLIP = 1
    FILL_OR_DROP = 2
    PROMISE_IN_BOUNDS = 3
    ONE_HOT = 4

    @staticmethod
    def from_any(s: "str | GatherScatterMode | None") -> "GatherScatterMode":
        """Returns the mode of a name; None drops or fills what is out of bounds."""
        if isinstance(s, GatherScatterMode):
            return s
        if s not in GATHER_SCATTER_MODES:
            raise ValueError(f'Unknown gather mode "{s}"; give "clip", "fill" or "drop"')
        return GATHER_SCATTER_MODES[s]


GATHER_SCATTER_MODES: Final[dict[str | None, GatherScatterMode]] = {
    "clip": GatherScatterMode.CLIP,
    "fill": GatherScatterMode.FILL_OR_DROP,
    "drop": GatherScatterMode.FILL_OR_DROP,
    None: GatherScatterMode.FILL_OR_DROP,
    "promise_in_bounds": GatherScatterMode.PROMISE_IN_BOUNDS,
    "one_hot": GatherScatterMode.ONE_HOT,
}
"""The modes by their names."""


@register
class RandomAlgorithm(enum.IntEnum):
    """Generators of random bits."""

    RNG_DEFAULT = 0
    RNG_THREE_FRY = 1
    RNG_PHILOX = 2


@register
class RoundingMethod(enum.IntEnum):
    """The rounding of ties."""

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1


@register
class ConvDimensionNumbers(NamedTuple):
    """The meaning of the axes of images, filters and results of a convolution."""

    lhs_spec: Sequence[int]
    rhs_spec: Sequence[int]
    out_spec: Sequence[int]


@register
class GatherDimensionNumbers(NamedTuple):
    """The meaning of the axes of operands and indices of a gather."""

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()


@register
class ScatterDimensionNumbers(NamedTuple):
    """The meaning of the axes of operands, indices and updates of a scatter."""

    update_window_dims: Sequence[int]
    inserted_window_dims: Sequence[int]
    scatter_dims_to_operand_dims: Sequence[int]
    operand_batching_dims: Sequence[int] = ()
    scatter_indices_batching_dims: Sequence[int] = ()


@register
@dataclass(frozen=True)
class RaggedDotDimensionNumbers:
    """The meaning of the axes of the operands of a ragged contraction."""

    dot_dimension_numbers: Any
    lhs_ragged_dimensions: Sequence[int]
    rhs_group_dimensions: Sequence[int]

    def __post_init__(self) -> None:
        (mine, theirs), (batch, their_batch) = self.dot_dimension_numbers
        contracted = (tuple(mine), tuple(theirs))
        pairs = (contracted, (tuple(batch), tuple(their_batch)))
        object.__setattr__(self, "dot_dimension_numbers", pairs)
        object.__setattr__(self, "lhs_ragged_dimensions", tuple(self.lhs_ragged_dimensions))
        object.__setattr__(self, "rhs_group_dimensions", tuple(self.rhs_group_dimensions))


@register
class DotAlgorithm(NamedTuple):
    """The algorithm of a contraction: dtypes of operands and sums, and the number of splits."""

    lhs_precision_type: Any
    rhs_precision_type: Any
    accumulation_type: Any
    lhs_component_count: int = 1
    rhs_component_count: int = 1
    num_primitive_operations: int = 1
    allow_imprecise_accumulation: bool = False


@register
class DotAlgorithmPreset(enum.Enum):
    """Algorithms of contractions by name."""

    DEFAULT = enum.auto()
    ANY_F8_ANY_F8_F32 = enum.auto()
    ANY_F8_ANY_F8_F32_FAST_ACCUM = enum.auto()
    ANY_F8_ANY_F8_ANY = enum.auto()
    ANY_F8_ANY_F8_ANY_FAST_ACCUM = enum.auto()
    F16_F16_F16 = enum.auto()
    F16_F16_F32 = enum.auto()
    BF16_BF16_BF16 = enum.auto()
    BF16_BF16_F32 = enum.auto()
    BF16_BF16_F32_X3 = enum.auto()
    BF16_BF16_F32_X6 = enum.auto()
    BF16_BF16_F32_X9 = enum.auto()
    TF32_TF32_F32 = enum.auto()
    TF32_TF32_F32_X3 = enum.auto()
    F32_F32_F32 = enum.auto()
    F64_F64_F64 = enum.auto()


@register
@dataclass(frozen=True)
class Tolerance:
    """The largest error of elementwise functions."""

    atol: float = 0.0
    rtol: float = 0.0
    ulps: int = 0
