"""Layers of neural-network libraries: classes whose instances, called on arrays, give one array."""

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
_NAMES = frozenset(
    f"{package}.{name}" for package, names in LAYERS.items() for name in names.split()
)


def is_layer(path: str) -> bool:
    """Whether a name is a layer class.

    >>> is_layer("flax.linen.Dense"), is_layer("flax.linen.relu")
    (True, False)
    """
    return path in _NAMES
