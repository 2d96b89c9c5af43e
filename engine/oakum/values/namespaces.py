"""The public namespaces: JAX's modules, as oakum spells them, and the old names of some functions.

A canonical name is dotted and relative to the package: `numpy.linalg.norm` for
`jax.numpy.linalg.norm` and `oakum.numpy.linalg.norm` alike. Importing this module imports nothing.
"""

from typing import Final

_DISTRIBUTIONS: Final = (
    "bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l "
    "gumbel_r laplace logistic multinomial multivariate_normal nbinom norm pareto poisson t "
    "truncnorm uniform vonmises wrapcauchy"
)

NAMESPACES: Final = frozenset(
    (
        "",
        "ad_checkpoint",
        "api_util",
        "core",
        "custom_batching",
        "custom_derivatives",
        "debug",
        "distributed",
        "dlpack",
        "dtypes",
        "errors",
        "example_libraries",
        "example_libraries.optimizers",
        "example_libraries.stax",
        "experimental",
        "experimental.checkify",
        "experimental.custom_partitioning",
        "experimental.host_callback",
        "experimental.jet",
        "experimental.mesh_utils",
        "experimental.multihost_utils",
        "experimental.ode",
        "experimental.pallas",
        "experimental.pallas.ops",
        "experimental.pallas.tpu",
        "experimental.pallas.triton",
        "experimental.pjit",
        "experimental.rnn",
        "experimental.shard_map",
        "experimental.sparse",
        "experimental.sparse.linalg",
        "export",
        "extend",
        "extend.core",
        "extend.linear_util",
        "ffi",
        "flatten_util",
        "image",
        "interpreters",
        "interpreters.ad",
        "interpreters.batching",
        "interpreters.mlir",
        "interpreters.partial_eval",
        "interpreters.pxla",
        "interpreters.xla",
        "lax",
        "lax.linalg",
        "lib",
        "monitoring",
        "nn",
        "nn.initializers",
        "numpy",
        "numpy.fft",
        "numpy.linalg",
        "ops",
        "profiler",
        "random",
        "ref",
        "scipy",
        "scipy.cluster",
        "scipy.cluster.vq",
        "scipy.fft",
        "scipy.integrate",
        "scipy.interpolate",
        "scipy.linalg",
        "scipy.ndimage",
        "scipy.optimize",
        "scipy.signal",
        "scipy.sparse",
        "scipy.sparse.linalg",
        "scipy.spatial",
        "scipy.spatial.transform",
        "scipy.special",
        "scipy.stats",
        *(f"scipy.stats.{name}" for name in _DISTRIBUTIONS.split()),
        "sharding",
        "stages",
        "test_util",
        "tree",
        "tree_util",
        "typing",
    )
)
"""The canonical names of the namespaces; "" is the package itself."""

WHOLE: Final = frozenset(
    {
        *("", "flatten_util", "image", "lax", "lax.linalg", "nn", "nn.initializers", "numpy"),
        *("numpy.fft", "numpy.linalg", "ops", "random", "scipy.fft", "scipy.integrate"),
        *("scipy.linalg", "scipy.ndimage", "scipy.signal", "scipy.stats", "tree", "tree_util"),
    }
)
"""Those of which oakum has every public function: what it lacks in them, JAX lacks, too."""

ALIASES: Final = {
    "ad_checkpoint.checkpoint": "checkpoint",
    "ad_checkpoint.remat": "checkpoint",
    "api.grad": "grad",
    "api.jit": "jit",
    "api.vmap": "vmap",
    "custom_derivatives.custom_jvp": "custom_jvp",
    "custom_derivatives.custom_vjp": "custom_vjp",
    "experimental.maps.shard_map": "shard_map",
    "experimental.pjit.pjit": "jit",
    "experimental.shard_map.shard_map": "shard_map",
    "interpreters.xla.jit": "jit",
    "tree_map": "tree_util.tree_map",
    "tree_multimap": "tree_util.tree_map",
    "tree_leaves": "tree_util.tree_leaves",
    "tree_flatten": "tree_util.tree_flatten",
    "tree_unflatten": "tree_util.tree_unflatten",
    "tree_structure": "tree_util.tree_structure",
    "tree_reduce": "tree_util.tree_reduce",
    "tree_transpose": "tree_util.tree_transpose",
    "tree_util.tree_multimap": "tree_util.tree_map",
}
"""Names of older JAX versions, and re-exports without a module of their own, by what they mean."""
