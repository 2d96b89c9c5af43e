"""Layers of neural-network libraries: classes whose instances, called on arrays, return arrays."""

import re
from typing import Final

LAYERS = {
    "flax.linen": """
        BatchNorm Conv ConvLocal ConvTranspose Dense DenseGeneral Dropout Einsum Embed GroupNorm
        InstanceNorm LayerNorm MultiHeadAttention MultiHeadDotProductAttention PReLU RMSNorm
        SelfAttention Sequential WeightNorm SpectralNorm
    """,
    "flax.nnx": """
        BatchNorm Conv ConvTranspose Dropout Einsum Embed GroupNorm InstanceNorm LayerNorm Linear
        LinearGeneral LoRA LoRALinear MultiHeadAttention PReLU RMSNorm Sequential
    """,
    "equinox.nn": """
        AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d
        AdaptiveMaxPool2d AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d Conv Conv1d Conv2d
        Conv3d ConvTranspose ConvTranspose1d ConvTranspose2d ConvTranspose3d Dropout
        Embedding GRUCell GroupNorm Identity Lambda LayerNorm Linear MLP MaxPool1d MaxPool2d
        MaxPool3d MultiheadAttention PReLU RMSNorm Sequential
    """,
    "haiku": """
        Bias Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D Embed GroupNorm LayerNorm Linear
        RMSNorm Sequential
    """,
}
WITHOUT_PARAMETERS = frozenset({"flax.linen.Dropout", "flax.linen.Sequential", "haiku.Sequential"})
"""Layers that make no parameters of their own when they are called first."""

IN_LINEN: Final = "flax.linen."
IN_HAIKU: Final = "haiku."
MADE_IN_CALLS = (IN_LINEN, IN_HAIKU)
"""Libraries whose layers make their parameters when they are called first."""

HOLD_FUNCTIONS = frozenset(
    """
    AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d
    AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d Lambda MLP MaxPool1d MaxPool2d MaxPool3d
    """.split()
)
"""Layers of Equinox with a leaf that is a function."""

_NAMES = frozenset(
    f"{package}.{name}" for package, names in LAYERS.items() for name in names.split()
)


def is_layer(path: str) -> bool:
    """Whether a name is a layer class.

    >>> is_layer("flax.linen.Dense"), is_layer("flax.linen.relu")
    (True, False)
    """
    return path in _NAMES


_OF_LEAVES = ("equinox.nn", "flax.nnx")
LEAF_NAMES = frozenset({"weight", "bias"})
"""Attributes of layers of Equinox that are arrays or None."""
_ARRAYLESS = frozenset({"Dropout", "Identity"}) | (HOLD_FUNCTIONS - {"MLP"})


def holds_arrays(path: str) -> bool:
    """Whether a name is a layer class whose parameters are leaves of its instances.

    >>> holds_arrays("equinox.nn.Linear"), holds_arrays("equinox.nn.Dropout")
    (True, False)
    >>> holds_arrays("flax.linen.Dense")
    False
    """
    package, _, name = path.rpartition(".")
    return package in _OF_LEAVES and is_layer(path) and name not in _ARRAYLESS


def draws_parameters(path: str) -> bool:
    """Whether a layer draws its parameters by the `key` that it is made with.

    >>> draws_parameters("equinox.nn.LSTMCell"), draws_parameters("flax.linen.Dense")
    (True, False)
    """
    return path.startswith("equinox.nn.")


def draws_masks(path: str) -> bool:
    """Whether a layer draws by the `key` that it is called with, but where it infers.

    >>> draws_masks("equinox.nn.Dropout"), draws_masks("equinox.nn.MultiheadAttention")
    (True, False)
    """
    return path == "equinox.nn.Dropout"


_DRAWING = ("Dropout", "make_rng", "dropout_rate", "broadcast_dropout")
"""What draws from the streams of a module of Flax: a layer, a method, and options of layers of
attention. Layers of other libraries are built on these."""
SAYS_DRAWING = re.compile("|".join(rf"{name}\b(?<=\b{name})" for name in _DRAWING))
"""What stands in the text of code that draws; in a comment, too. (Text is looked through for
letters four times as fast as for a boundary before them.)"""


def may_draw(name: str) -> bool:
    """Whether a name in code, wherever it comes from, may be of what draws from a stream.

    >>> may_draw("make_rng"), may_draw("Dense")
    (True, False)
    """
    return name in _DRAWING


def makes_parameters(path: str) -> bool:
    """Whether a layer makes parameters when it is called first.

    >>> makes_parameters("flax.linen.Dense"), makes_parameters("flax.linen.Dropout")
    (True, False)
    """
    return is_layer(path) and path.startswith(MADE_IN_CALLS) and path not in WITHOUT_PARAMETERS


def why_no_argument(path: str, *, holds: bool = False) -> str:
    """Describes a layer that no transform of JAX takes; "" for one that it does. `holds`:
    it got a function to hold.

    >>> why_no_argument("flax.linen.Dense"), why_no_argument("equinox.nn.MLP")
    ('a layer, whose class is not a pytree,', 'a layer that holds a function,')
    >>> why_no_argument("equinox.nn.Linear"), why_no_argument("flax.nnx.Linear")
    ('', '')
    """
    if not is_layer(path):
        return ""
    if path.startswith(MADE_IN_CALLS):
        return "a layer, whose class is not a pytree,"
    package, _, name = path.rpartition(".")
    holds = holds or (package == "equinox.nn" and name in HOLD_FUNCTIONS)
    return "a layer that holds a function," if holds else ""
