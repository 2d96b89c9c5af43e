"""Pieces of neural networks: JAX's `jax.nn`."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.nn", __path__, "activations initializers")

if TYPE_CHECKING:
    # A name stands beside its own alias so that type checkers see it as exported.
    # fmt: off
    # isort: off
    from oakum.nn import initializers as initializers
    from oakum.nn.activations import (
        celu as celu, dot_product_attention as dot_product_attention, elu as elu, gelu as gelu,
        get_scaled_dot_general_config as get_scaled_dot_general_config, glu as glu,
        hard_sigmoid as hard_sigmoid, hard_silu as hard_silu, hard_swish as hard_swish,
        hard_tanh as hard_tanh, identity as identity, leaky_relu as leaky_relu,
        log1mexp as log1mexp, log_sigmoid as log_sigmoid, log_softmax as log_softmax,
        logmeanexp as logmeanexp, logsumexp as logsumexp, mish as mish, one_hot as one_hot,
        relu as relu, relu6 as relu6, scaled_dot_general as scaled_dot_general,
        scaled_matmul as scaled_matmul, selu as selu, sigmoid as sigmoid, silu as silu,
        soft_sign as soft_sign, softmax as softmax, softplus as softplus,
        sparse_plus as sparse_plus, sparse_sigmoid as sparse_sigmoid, squareplus as squareplus,
        standardize as standardize, swish as swish,
    )
    from oakum.numpy import tanh as tanh
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.nn")
