"""Parameters of other libraries' functions and layers that have to be known while tracing: sizes,
counts of steps and flags, which choose what is computed.

A row is `names: parameter=position ...`, without the position of one that is passed by its name.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

_ROWS: Final = {
    "chex": """\
assert_equal: first=0 second=1
assert_is_divisible: numerator=0 denominator=1
""",
    "diffrax": """\
diffeqsolve: max_steps throw
SaveAt: t0 t1 steps dense
""",
    "equinox": """\
filter partition: filter_spec=1
""",
    "equinox.nn": """\
Linear: in_features=0 out_features=1
MLP: in_size=0 out_size=1 width_size=2 depth=3
Conv1d Conv2d Conv3d: in_channels=0 out_channels=1 kernel_size=2
Embedding: num_embeddings=0 embedding_size=1
GRUCell LSTMCell: input_size=0 hidden_size=1
LayerNorm RMSNorm: shape=0
Dropout: inference=1
Dropout.__call__: inference
""",
    "flax.linen": """\
Dense DenseGeneral: features=0
Conv ConvTranspose: features=0 kernel_size=1
Embed: num_embeddings=0 features=1
Dropout: rate=0 deterministic=2
Dropout.__call__: deterministic=1
BatchNorm: use_running_average=0
BatchNorm.__call__: use_running_average=1
""",
    "flax.nnx": """\
Linear: in_features=0 out_features=1
Conv: in_features=0 out_features=1 kernel_size=2
Embed: num_embeddings=0 features=1
Dropout: rate=0
Dropout.__call__: deterministic
""",
    "haiku": """\
Linear: output_size=0
Conv1D Conv2D Conv3D: output_channels=0 kernel_shape=1
""",
    "numpyro": """\
plate: size=1 subsample_size=2
""",
    "optax": """\
cosine_decay_schedule: decay_steps=1
exponential_decay: transition_steps=1
linear_schedule: transition_steps=2
warmup_cosine_decay_schedule: warmup_steps=2 decay_steps=3
""",
}
BY_NAME: Final = -1
"""The position of a parameter that is passed by its name."""
CALLED: Final = ".__call__"
"""What follows the name of a layer whose instances are called."""
FLAGS: Final = {
    "flax.linen.BatchNorm": (1, "use_running_average"),
    "flax.linen.Dropout": (1, "deterministic"),
}
"""The position, in calls, and the name of the flag of layers by which they change or draw nothing.
"""
OTHER_STREAM: Final = "rng_collection"
"""What such a layer draws from, where it is made with another stream than its own."""
RATES: Final = {
    "equinox.nn.Dropout": (0, "p"),
    "flax.linen.Dropout": (0, "rate"),
    "flax.nnx.Dropout": (0, "rate"),
}
"""The position and name of the rate of layers that ask for their flag only if that is not zero."""


@cache
def static_parameters() -> Mapping[str, Mapping[str, int]]:
    """The parameters that may not be traced, and their positions, by the function.

    >>> static_parameters()["flax.linen.Embed"]
    {'num_embeddings': 0, 'features': 1}
    >>> static_parameters()["equinox.nn.Dropout.__call__"]
    {'inference': -1}
    """
    found: dict[str, dict[str, int]] = {}
    for package, rows in _ROWS.items():
        for row in rows.splitlines():
            names, _, declared = row.partition(": ")
            parameters = {
                name: int(position) if position else BY_NAME
                for name, _, position in (each.partition("=") for each in declared.split())
            }
            found.update((f"{package}.{name}", parameters) for name in names.split())
    return found
