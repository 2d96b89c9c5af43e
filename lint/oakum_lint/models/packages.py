"""Packages, and the dotted names of what is in them."""

import sys
from typing import Final

MODELLED_PACKAGES: Final = frozenset({"jax", "jaxlib", "oakum", "numpy", "scipy"})
"""Packages known by declaration: a name in them never resolves to a file of the project."""
HOST_PACKAGES: Final = sys.stdlib_module_names | {"numpy", "scipy"}
"""Packages that know no tracers: nothing that they make begins a trace or is an array of JAX."""
_ARRAYLESS: Final = (
    MODELLED_PACKAGES | HOST_PACKAGES | {"chex", "equinox", "flax", "haiku", "optax"}
)
"""Packages of whose functions it is known which ones make arrays."""
UNCHANGING_PACKAGES: Final = ("jax", "numpy", "math")
"""What these have is the same for every caller."""

_EXACT: Final = MODELLED_PACKAGES | HOST_PACKAGES
"""Packages of which it is known what they return; of others it is what their newest version did."""

_HANDED_ON: Final = {"jax.partial": "functools.partial"}
"""Names of other packages that older versions of JAX had among their own."""
_OWN_CORE: Final = "jax._src.core."
"""Where what `jax.core` has stands in JAX itself: its tests and libraries near it import it there.
"""
_GONE: Final = frozenset(
    {
        *("jax.abstract_arrays", "jax.config", "jax.custom_transforms", "jax.linear_util"),
        *("jax.interpreters.masking", "jax.interpreters.sharded_jit", "jax.lib.xla_bridge"),
        *("jax.lib.xla_client", "jax.prng", "jax.tools.colab_tpu"),
    }
)
"""Modules that JAX had once, beside those of `jax.experimental`."""
_MODULES: Final = frozenset(
    (
        "ad_checkpoint api_util cloud_tpu_init collect_profile core custom_batching "
        "custom_derivatives debug distributed dlpack dtypes errors example_libraries "
        "experimental export extend ffi flatten_util image interpreters lax lib "
        "monitoring nn numpy ops profiler random ref scipy sharding stages test_util "
        "tools tree tree_util typing version"
    ).split()
)
"""The public modules of JAX."""
_EXPERIMENTS: Final = frozenset(
    (
        "EArray array_serialization attrs buffer_callback checkify colocated_python "
        "compilation_cache compute_on control_deps cur_qdd custom_partitioning "
        "disable_x64 enable_x64 fused hijax io_callback jax2tf jet key_reuse layout mesh_utils "
        "mosaic multihost_utils ode pallas pjit primal_tangent_dtype profiler random rnn roofline "
        "scheduling_groups serialize_executable shard_alike shard_map source_mapper sparse "
        "topologies transfer xla_metadata"
    ).split()
)
"""What `jax.experimental` has, and what left it so late that code with it is of today. All that it
had once has so many names that a list of them missed `optix`.
"""
_EXPERIMENTAL: Final = "jax.experimental"


_GONE_FROM_NUMPY: Final = frozenset(
    (
        "Inf Infinity NINF NZERO NaN PINF PZERO alltrue asfarray cfloat clongfloat complex "
        "complex_ cumproduct disp find_common_type float float_ infty int issctype "
        "longcomplex longfloat lookfor mat msort obj2sctype object product round_ safe_eval "
        "sctype2char sctypes singlecomplex sometrue source str string_ unicode "
        "unicode_ who"
    ).split()
)
"""Names that NumPy had before its version 2.0."""


def is_unmodelled(path: str) -> bool:
    """Whether a name is of a package of which it is not known what it makes of arrays.

    >>> [is_unmodelled(name) for name in ("distrax.Categorical", "flax.core.freeze")]
    [True, False]
    """
    return path.partition(".")[0] not in _ARRAYLESS


def is_gone(path: str) -> bool:
    """Whether JAX no longer has a module, or NumPy a name: code with it is for an older one.

    >>> is_gone("jax.experimental.maps"), is_gone("jax.experimental.sparse"), is_gone("numpy.float")
    (True, False, True)
    """
    package, _, name = path.rpartition(".")
    if package == "numpy":
        return name in _GONE_FROM_NUMPY
    if package == _EXPERIMENTAL:
        return not name.startswith("_") and name not in _EXPERIMENTS
    return path in _GONE


def is_built(name: str) -> bool:
    """Whether a module of a package may be written when that is built, so that its repository does
    not have it: by setuptools-scm, by the compiler of protocol buffers, by one of extensions.

    >>> is_built("_version"), is_built("data_pb2"), is_built("_C"), is_built("models")
    (True, True, True, False)
    """
    return name.startswith("_") or name == "version" or name.endswith(("_pb2", "_pb2_grpc"))


def has_module(path: str) -> bool:
    """Whether JAX may have a module of this name, as far as that is known of another package.

    >>> has_module("jax.optim"), has_module("jax.nn.initializers"), has_module("torch.optim")
    (False, True, True)
    """
    package, _, rest = path.partition(".")
    name = rest.partition(".")[0]
    return package != "jax" or not rest or name.startswith("_") or name in _MODULES


def is_exact(path: str) -> bool:
    """Whether the results of a function are known for certain, by its dotted name.

    >>> is_exact("jax.numpy.zeros"), is_exact("optax.sgd")
    (True, False)
    """
    return path.partition(".")[0] in _EXACT


def canonical_name(path: str) -> str:
    """The one name of a library function: oakum's API is JAX's.

    >>> canonical_name("oakum.numpy.sum"), canonical_name("optax.sgd")
    ('jax.numpy.sum', 'optax.sgd')
    >>> canonical_name("jax._src.core.Tracer")
    'jax.core.Tracer'
    """
    if path.startswith(_OWN_CORE):
        return f"jax.core.{path.removeprefix(_OWN_CORE)}"
    if path == "oakum" or path.startswith("oakum."):
        return "jax" + path[len("oakum") :]
    return _HANDED_ON.get(path, path)


def is_handed_on(path: str) -> bool:
    """Whether JAX had a name of another package once: today there is none of it.

    >>> is_handed_on("jax.partial"), is_handed_on("functools.partial")
    (True, False)
    """
    return path in _HANDED_ON


def in_jax(path: str) -> bool:
    """Whether a name is one of JAX.

    >>> in_jax("jax.lax.scan"), in_jax("flax.nnx.scan")
    (True, False)
    """
    return path.startswith("jax.")


def jax_name(name: str) -> str:
    """The dotted name of what a declaration names: `jax.lax.scan` of `lax.scan`."""
    return f"jax.{name}"


def declared_name(path: str) -> str:
    """The name by which JAX's function is declared: `lax.scan` of `jax.lax.scan`."""
    return path.removeprefix("jax.")


def in_lax(declared: str) -> bool:
    """Whether a declaration is of a function of `jax.lax`."""
    return declared.startswith("lax.")


def operator_name(kind: str) -> str:
    """The dotted name of JAX's operator of a kind.

    >>> operator_name("scan"), operator_name("vjp")
    ('jax.lax.scan', 'jax.vjp')
    """
    return f"jax.{kind}" if kind in ("jvp", "vjp") else f"jax.lax.{kind}"


def is_method(declared: str) -> bool:
    """Whether a declaration is of a method of arrays."""
    return declared.startswith("Array.")


def function_of_method(declared: str) -> str:
    """The function that a method of arrays stands for.

    >>> function_of_method("Array.sum")
    'jax.numpy.sum'
    """
    return f"jax.numpy.{declared.removeprefix('Array.')}"


def numpy_name(name: str) -> str:
    """The dotted name of what NumPy has at its top."""
    return f"numpy.{name}"


def in_numpy(path: str) -> bool:
    """Whether a name is one of NumPy."""
    return path.startswith("numpy.")


def in_numpy_random(path: str) -> bool:
    """Whether a name is one of `numpy.random`."""
    return path.startswith("numpy.random.")


def in_optax(path: str) -> bool:
    """Whether a name is one of optax."""
    return path.startswith("optax.")


def optax_name(path: str) -> str:
    """The name of what optax has at its top; "" of all else.

    >>> optax_name("optax.sgd"), optax_name("optax.losses.hinge_loss")
    ('sgd', '')
    """
    name = path.removeprefix("optax.")
    return "" if name == path or "." in name else name


def builtin_name(path: str) -> str:
    """The name without its module, if it is one of Python's builtins."""
    return path.removeprefix("builtins.")
