"""Attributes and methods of arrays and trees, and constants of modules."""

import math
from collections.abc import Mapping
from typing import Final, Literal

NumberKind = Literal["int", "float", "bool"]

KNOWN_CONSTANTS: Final[Mapping[str, float | bool | None]] = {
    **{f"{package}.inf": math.inf for package in ("numpy", "jax.numpy", "math")},
    "numpy.newaxis": None,
    "jax.numpy.newaxis": None,
    "typing.TYPE_CHECKING": False,
}
"""Names of libraries that hold a value of Python, and which."""
NUMBER_CONSTANTS: Final[Mapping[str, NumberKind]] = {
    **{
        f"{package}.{name}": "float"
        for package in ("numpy", "jax.numpy", "math", "scipy.constants")
        for name in ("pi", "e", "nan", "euler_gamma", "tau")
    },
    "sys.maxsize": "int",
}
"""Names of libraries that hold a number of Python, and its kind."""

STATIC_ATTRIBUTES: Final[Mapping[str, NumberKind]] = {
    "ndim": "int",
    "size": "int",
    "itemsize": "int",
    "nbytes": "int",
    "weak_type": "bool",
    "is_fully_addressable": "bool",
    "is_fully_replicated": "bool",
}
"""Attributes of an array that tracing knows, and their kinds; `shape` and `dtype` apart."""
FORM: Final = frozenset({"shape", "dtype", *STATIC_ATTRIBUTES})
"""Attributes that arrays of one shape and dtype share."""
UNKNOWN_ATTRIBUTES: Final = frozenset(
    "sharding aval device devices addressable_shards flags".split()
)
"""Attributes of an array that are no methods, and are otherwise unknown."""
SPELLING_SHAPES: Final = frozenset("shape ndim size dtype itemsize".split())
"""Attributes that every trace knows, though the array is not known."""
TREE_ARRAY_ATTRIBUTES: Final = frozenset("shape ndim dtype size at T mT real imag".split())
"""Attributes that make a traced tree an array: no pytree container has them."""
TREE_METHODS: Final = frozenset("items keys values get copy pop update setdefault".split())
"""Methods of the dicts that a traced tree may be."""

CONVERSIONS: Final = frozenset(
    "item tolist __int__ __float__ __bool__ __index__ __complex__".split()
)
"""Methods that turn an array into Python numbers."""
HOST_CONVERSIONS: Final = frozenset("tobytes __array__ to_py dump dumps tofile".split())
"""Methods that take the data of an array to the host."""
FAILS_CONCRETE: Final = HOST_CONVERSIONS | {"tolist", "__float__", "__complex__"}
"""Those that fail for tracers of known value, too."""
NEVER_WAIT: Final = frozenset("append astype reshape sum mean lower set add".split())
"""Methods that are known not to wait for the result of a computation."""
COMPARING_METHODS: Final = frozenset("sort index count remove".split())
"""Methods of containers that compare what these hold, and so may wait for it."""
NUMPY_ONLY: Final = frozenset("fill partition setflags itemset resize put".split())
"""Methods of NumPy's arrays that change them, and that arrays of JAX do not have."""
VALUED_UPDATES: Final = frozenset("set add subtract multiply mul divide power min max".split())
"""Methods of `x.at[index]` that take a value."""
UPDATES: Final = VALUED_UPDATES | {"apply"}
"""Methods of `x.at[index]` that return an array with other elements."""
AMBIGUOUS_UPDATES: Final = frozenset({"add", "apply"})
"""Those of them that what `frame.at[row, column]` is in pandas may have: a set, a series."""

NUMPY_METHODS: Final = "numpy.ndarray"
"""The class under which the tables have the methods of NumPy's arrays."""

ARRAY_NAMES: Final = frozenset(
    """
    addressable_data addressable_shards all any at aval aval_mutable_qdd base
    block_host_until_ready block_until_ready broadcast byteswap client clone committed
    copy_to_device copy_to_host_async ctypes cur_qdd data delete device device_buffer
    device_buffers devices dimension_as_value dump dumps fill flags format full_lower get_const
    get_referent getfield global_shards is_deleted is_fully_addressable is_fully_replicated
    is_known is_ready itemsize mutable_qdd newbyteorder on_device_size_in_bytes parent partition
    platform primal put ptp resize setfield setflags sharding strides tangent to_concrete_value
    to_device to_py tobytes tofile tolist tostring traceback unsafe_buffer_pointer val weak_type
    xla_dynamic_shape xla_shape
    """.split()
)
"""What arrays and tracers of JAX have, or had, or arrays of NumPy have, beside the declared
methods."""
METHODS_ELSEWHERE: Final[Mapping[str, str]] = {
    "backward": "`jax.grad`",
    "contiguous": "the array itself",
    "cpu": "`jax.device_get`",
    "cuda": "`jax.device_put`",
    "detach": "`jax.lax.stop_gradient`",
    "double": "`astype`",
    "expand": "`jax.numpy.broadcast_to`",
    "float": "`astype`",
    "int": "`astype`",
    "long": "`astype`",
    "numel": "`size`",
    "numpy": "`numpy.asarray`, outside of compiled code",
    "permute": "`transpose`",
    "split": "`jax.random.split` for a key, `jax.numpy.split` for an array",
    "to": "`astype` for a dtype, `jax.device_put` for a device",
    "type": "`astype`",
    "unsqueeze": "`jax.numpy.expand_dims`",
}
"""Methods of keys and of the arrays of other libraries, and what does the same in JAX."""
SAME_ARGUMENTS: Final = frozenset({"detach", "unsqueeze"})
"""Those whose arguments are the ones of the function of JAX behind the array."""
NOT_ARRAYS: Final = frozenset(
    """
    N arrays arys condition condlist dimensions func func1d function indices keys multi_index n p
    shape shapes start subscripts tup
    """.split()
)
"""What functions of `jax.numpy` call a first parameter that is not the array which methods of that
name belong to: `x.where(test, y)` is `jnp.where(test, x, y)`."""
CONTAINER_METHODS: Final = frozenset("append insert union intersection".split())
"""Methods of Python's containers that `jax.numpy` has functions of the same name as."""
HOMES: Final = ("jax.numpy", "jax.lax", "jax.nn", "jax.random", "jax.scipy.special")
"""Modules whose functions are looked for in another one, in the order in which they are named."""
ASKED_OF_JAX: Final = frozenset({"jax", "jax.numpy", "jax.lax", "jax.nn"})
"""Modules of which every function is declared that one of `HOMES` has too."""

_RESULTS = """
sign logabsdet
eigenvalues eigenvectors
U S Vh
Q R
values indices inverse_indices counts
values inverse_indices
values counts
"""
_FIELDS: Final = {
    (name, len(names)): position
    for names in map(str.split, _RESULTS.split("\n"))
    for position, name in enumerate(names)
}
_METHODS: Final = frozenset(("count", "index"))


def field_of_result(name: str, length: int | None) -> int | None:
    """The place of a field in a named tuple that a function of `jax.numpy` returns, by the length
    of the tuple: no two have a name and a length in common, and another place.

    >>> field_of_result("Vh", 3), field_of_result("logabsdet", 2), field_of_result("count", 2)
    (2, 1, None)
    """
    return None if length is None else _FIELDS.get((name, length))


def is_tuple_method(name: str) -> bool:
    """Whether every tuple has a method of this name."""
    return name in _METHODS or name.startswith("_")
